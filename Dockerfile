# The server with the playground, the API and the gateway, in an image without a shell. It needs a token, since other
# machines can connect:
#
#	docker build -t tamp .
#	docker run -p 8787:8787 -e TAMP_TOKEN=… -e ALLOWED_HOSTS=tamp.example.com -v tamp:/data tamp

FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN make binary && mkdir .build/data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /src/.build/tamp /tamp
COPY --from=build /src/LICENSE /LICENSE
COPY --from=build /src/wasm/npm/NOTICE.md /NOTICE.md
COPY --from=build --chown=nonroot:nonroot /src/.build/data /data
ENV HOST=0.0.0.0 PORT=8787 TRANSCRIPTS_DIR=/data
EXPOSE 8787
VOLUME /data
ENTRYPOINT ["/tamp"]
