package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// drawSpans draws the screenshot of a prompt: a row of messages with three spans over it, the first two of which touch
// and yet are drawn as two bars with a gap.
func drawSpans() []byte {
	const width, height, cell = 640, 160, 40
	paper, line := color.RGBA{250, 250, 247, 255}, color.RGBA{200, 200, 196, 255}
	bar, wrong := color.RGBA{52, 101, 164, 255}, color.RGBA{204, 0, 0, 255}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	fill := func(x0, y0, x1, y1 int, c color.RGBA) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				img.SetRGBA(x, y, c)
			}
		}
	}
	fill(0, 0, width, height, paper)
	for x := 0; x < width; x += cell {
		fill(x, 20, x+1, 140, line)
	}
	fill(1*cell, 60, 4*cell-2, 100, bar) // [1,4)
	fill(4*cell+2, 60, 7*cell, 100, bar) // [4,7)
	fill(10*cell, 60, 13*cell, 100, bar) // [10,13)
	fill(4*cell-2, 50, 4*cell+2, 110, wrong)
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic("recorder: internal error: " + err.Error())
	}
	return out.Bytes()
}
