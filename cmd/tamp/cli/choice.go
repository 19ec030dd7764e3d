package cli

import (
	"strconv"
	"strings"

	"tamp/core/models"
	"tamp/core/promptcache"
	"tamp/core/replay"
	"tamp/core/wire"
)

// maxThreads is the maximum of --threads: each has an engine with its memory.
const maxThreads = 64

// choice is what the options choose for the engine.
type choice struct{ wire.ReplayChoice }

// read reads an option. It returns what its value must be, "" if it is right.
func (c *choice) read(name, value string) (must string) {
	isRight := true
	switch name {
	case "ttl":
		c.TTL, must = value, "5m or 1h"
		isRight = value == promptcache.FiveMinutes || value == promptcache.OneHour
	case "breakpoints":
		c.Breakpoints, must = value, "anchors, automatic or request"
		isRight = value == replay.Anchors || value == replay.Automatic || value == replay.FromRequest
	case "hidden":
		n, isWhole := whole(value)
		c.Hidden, must = &n, "a number of tokens, at most "+strconv.Itoa(replay.MaxHidden)
		isRight = isWhole && n <= replay.MaxHidden
	case "prices":
		must = "IN,OUT or IN,OUT,READ,WRITE, in dollars for a million tokens"
		c.Prices, isRight = pricesOf(value)
	case "multipliers":
		must = "NAME or NAME=FACTOR, separated by commas"
		c.Multipliers, isRight = multipliersOf(value)
	case "totals":
		must = "daily, weekly or blocks"
		isRight = value == "daily" || value == "weekly" || value == "blocks"
	case "threads":
		n, isWhole := whole(value)
		must = "a whole number from 1 to " + strconv.Itoa(maxThreads)
		isRight = isWhole && n >= 1 && n <= maxThreads
	}
	if isRight {
		return ""
	}
	return must
}

func whole(text string) (n int, isWhole bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && text[0] != '+'
}

// million is the precision of prices and factors that are typed.
const million = 1_000_000

// decimal reads a decimal number, in millionths, rounded down.
func decimal(text string) (millionths int, isDecimal bool) {
	before, after, _ := strings.Cut(strings.TrimSpace(text), ".")
	for _, c := range before + after {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi("0" + before)
	part, _ := strconv.Atoi((after + "000000")[:6])
	return n*million + part, err == nil && before+after != "" && n <= million
}

// rounded is n / by.
func rounded(n, by int) int { return (2*n + by) / (2 * by) }

// pricesOf reads prices in dollars: thousandths of them, and shares of the input price in permille.
func pricesOf(text string) (p *wire.Price, isRight bool) {
	var given [4]int
	parts := strings.Split(text, ",")
	if len(parts) != 2 && len(parts) != 4 {
		return nil, false
	}
	for i, part := range parts {
		n, isDecimal := decimal(part)
		if !isDecimal || n > replay.MaxPrice*1000 {
			return nil, false
		}
		given[i] = n
	}
	input := given[0]
	if input == 0 {
		return nil, false
	}
	p = &wire.Price{Input: rounded(input, 1000), Output: rounded(given[1], 1000), Read: 100, Write5m: 1250, Write1h: 2000}
	if len(parts) == 4 {
		share := func(price int) int { return min(rounded(price*1000, input), replay.MaxPrice) }
		p.Read, p.Write5m = share(given[2]), share(given[3])
		p.Write1h = p.Write5m
	}
	return p, true
}

// multipliersOf reads factors, in permille; without one, that of the model.
func multipliersOf(text string) (all []models.Multiplier, isRight bool) {
	for _, part := range strings.Split(text, ",") {
		name, factor, hasFactor := strings.Cut(strings.TrimSpace(part), "=")
		n, isDecimal := decimal(factor)
		permille := rounded(n, 1000)
		switch {
		case name == "" || hasFactor && (!isDecimal || permille < 1 || permille > replay.MaxMultiplier):
			return nil, false
		case !hasFactor:
			permille = 0
		}
		all = append(all, models.Multiplier{Name: name, Permille: permille})
	}
	return all, true
}
