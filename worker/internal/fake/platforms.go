package fake

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"strings"
)

// Services of other vendors that serve the Messages API with the model in the path, and the version in the body:
//
//	POST …/publishers/anthropic/models/{model}:rawPredict, :streamRawPredict     Google's Vertex AI
//	POST /model/{model}/invoke, /model/{model}/invoke-with-response-stream       Amazon Bedrock
//
// Sources: Anthropic's SDKs for both (vertex-sdk, bedrock-sdk), and the API reference of Bedrock Runtime.

// platformOf returns the API of a path, false if it is none of these.
func platformOf(path string) (protocol, bool) {
	before, method, _ := strings.Cut(path, ":")
	_, model, vertex := strings.Cut(before, "/publishers/anthropic/models/")
	if vertex && model != "count-tokens" && (method == "rawPredict" || method == "streamRawPredict") {
		return onPlatform(model, "vertex-2023-10-16", method == "streamRawPredict"), true
	}
	if model, ok := strings.CutPrefix(path, "/model/"); ok {
		model, method, _ := strings.Cut(model, "/")
		_, model, _ = strings.Cut(model, "anthropic.") // of "us.anthropic.claude-opus-5-5"
		if model != "" && (method == "invoke" || method == "invoke-with-response-stream") {
			p := onPlatform(model, "bedrock-2023-05-31", method != "invoke")
			p.frames, p.err = true, bedrockError
			return p, true
		}
	}
	return protocol{}, false
}

// onPlatform is the Messages API, with a version in the body, and values of anthropic-beta in the body, too.
func onPlatform(model, version string, stream bool) protocol {
	p := messagesAPI
	p.threads, p.key = false, bearer
	p.read = func(in *input) { in.Model, in.Stream = model, stream }
	p.verify = func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		var given string
		_ = json.Unmarshal(in.fields["anthropic_version"], &given)
		if given != version {
			return http.StatusBadRequest, []string{"anthropic_version: Input should be '" + version + "'"}
		}
		if in.fields["model"] != nil {
			return http.StatusBadRequest, []string{"model: Extra inputs are not permitted"}
		}
		r = r.Clone(r.Context())
		r.Header.Set("Anthropic-Version", version2023)
		var betas []string
		if p.frames || in.fields["anthropic_beta"] != nil {
			_ = json.Unmarshal(in.fields["anthropic_beta"], &betas)
			r.Header.Set("Anthropic-Beta", strings.Join(betas, ","))
		}
		delete(in.fields, "anthropic_version")
		delete(in.fields, "anthropic_beta")
		return messagesAPI.verify(r, key, in, keyless)
	}
	return p
}

func bedrockError(_ int, message string) any { return object{"message": message} }

// frame is an event in AWS's encoding of event streams: the sizes of all and of the headers, their checksum, headers,
// the payload, and the checksum of all before it. Source: the Smithy specification, Amazon Event Stream.
func frame(e event) []byte {
	data := marshal(e.data)
	payload := marshal(object{"bytes": base64.StdEncoding.EncodeToString(data)})
	headers := []string{":event-type", "chunk", ":content-type", "application/json", ":message-type", "event"}
	if e.name == "error" {
		payload = data
		headers = []string{":exception-type", "internalServerException", ":content-type", "application/json",
			":message-type", "exception"}
	}
	var head []byte
	for i := 0; i < len(headers); i += 2 {
		name, value := headers[i], headers[i+1]
		head = append(append(head, byte(len(name))), name...)
		const text = 7 // the type of the value
		head = append(head, text)
		head = append(binary.BigEndian.AppendUint16(head, uint16(len(value))), value...)
	}
	const sizes = 16 // of two sizes and two checksums
	all := binary.BigEndian.AppendUint32(nil, uint32(sizes+len(head)+len(payload)))
	all = binary.BigEndian.AppendUint32(all, uint32(len(head)))
	all = binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all))
	all = append(append(all, head...), payload...)
	return binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all))
}

var protocols = map[string]protocol{
	"/v1/messages":         messagesAPI,
	"/v1/chat/completions": chatAPI,
	"/chat/completions":    chatAPI, // for a base URL without /v1, as some servers have
	"/v1/responses":        responsesAPI,
	"/responses":           responsesAPI,
	"/v1/interactions":     interactionsAPI,
	"/v1beta/interactions": interactionsAPI,
}
