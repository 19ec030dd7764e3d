package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
)

const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // the checksums are of little-endian words; 1 more: of big-endian ones
)

// readLog finds the pages in the write-ahead log, up to the last transaction that is whole.
func (d *Database) readLog() error {
	var header [logHeader]byte
	if _, err := d.log.ReadAt(header[:], 0); errors.Is(err, io.EOF) {
		return nil // it is empty
	} else if err != nil {
		return err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(header[:])&1 == 1 {
		order = binary.BigEndian
	}
	if binary.BigEndian.Uint32(header[:])&^1 != logMagic || int64(binary.BigEndian.Uint32(header[8:])) != d.pageSize {
		return nil
	}
	sum := checksum{}
	sum.add(order, header[:24])
	if !sum.is(header[24:]) {
		return nil
	}
	frame := make([]byte, frameHeader+d.pageSize)
	begun := map[uint32]int64{} // the pages of the transaction that is read
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := d.log.ReadAt(frame, at); err != nil {
			return nil // the last frame is torn, or there is none
		}
		sum.add(order, frame[:8])
		sum.add(order, frame[frameHeader:])
		if string(frame[8:16]) != string(header[16:24]) || !sum.is(frame[16:]) {
			return nil // from before the log began again
		}
		begun[binary.BigEndian.Uint32(frame)] = at + frameHeader
		pages := binary.BigEndian.Uint32(frame[4:])
		if pages == 0 {
			continue
		}
		d.pages = pages
		for number, at := range begun {
			d.logged[number] = at
		}
		clear(begun)
	}
}

// checksum is that of the log: two sums, each of which includes the other one.
type checksum [2]uint32

func (c *checksum) add(order binary.ByteOrder, data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c[0] += order.Uint32(data) + c[1]
		c[1] += order.Uint32(data[4:]) + c[0]
	}
}

func (c *checksum) is(written []byte) bool {
	return binary.BigEndian.Uint32(written) == c[0] && binary.BigEndian.Uint32(written[4:]) == c[1]
}
