// Package heap is a binary heap of numbers, the lowest first. A caller packs the order and an index into one number, so
// that a comparison needs no call.
package heap

// Heap is a heap after Order. The zero value is empty.
type Heap []uint64

// Order makes a heap of numbers in any order.
func (h Heap) Order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// Push adds a number.
func (h *Heap) Push(x uint64) {
	list := append(*h, x)
	i := len(list) - 1
	for i > 0 {
		up := (i - 1) / 2
		if list[up] <= x {
			break
		}
		list[i] = list[up]
		i = up
	}
	list[i] = x
	*h = list
}

// Pop removes the lowest number, h[0], and returns it. The heap must not be empty.
func (h *Heap) Pop() uint64 {
	list := *h
	lowest, last := list[0], len(list)-1
	list[0] = list[last]
	*h = list[:last]
	h.down(0)
	return lowest
}

// down moves the number at i down to its position.
func (h Heap) down(i int) {
	if i >= len(h) {
		return
	}
	x := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if x <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}
