// This file has a session as Codex leaves it when it is idle, compressed with zstd, and frames written by hand.

/** The text that PACKED has. */
export const SESSION = [
	{ timestamp: "2026-10-01T10:00:00.000Z", type: "session_meta", payload: { id: "c", cwd: "/r" } },
	...Array.from({ length: 60 }, (_, i) => {
		const [role, type, word] = i % 2 ? ["assistant", "output_text", "Answer"] : ["user", "input_text", "Prompt"];
		const text = `${word} ${i}: value_${i * i} is in module${i}/part${i * 7}.ts`;
		const payload = { type: "message", role, content: [{ type, text }] };
		return { timestamp: new Date(Date.UTC(2026, 9, 1, 10, 0, i)).toISOString(), type: "response_item", payload };
	}),
]
	.map((line) => `${JSON.stringify(line)}\n`)
	.join("");

/** SESSION after `zstd -19`. */
export const PACKED = Buffer.from(
	"KLUv/QRoNRoAhnR9IFBv0gGTzxB1tuXuezBHPBBVCdXk3lLKlJJGwxEz5UINqABgAGIAAZM0oUAMlojIAmksikNRGq2FC6MsBLVMGpKCShARDpFHAMQRoDgCiiFFQDQkAhgVsEgekcmBYRgBs1CkhWGJkEAcRoFhFkhaIJFJUiIgIhMjYNJDQ1HS45EWB0NSIBGJkiYAFxdmUjDRYARMg2EYB4exYBiHRgSioiExAqaxpAcDJOJQlKQYhkmSisUImISqIqhiVDGqCK2B6gC6bBhG8mgsSno4FmMRVuydvvt2tQ2Z7WOtk1ldl7VcZeXy32zx2UQX1XxUlO1pIp8et1g8Y1u9nn09lFbMWq35Jva9Idesrs9p67atU61qtXrMokw8ZIhQ2kk7x4bpiPc73yEb1qx+/labfdoGNh/kWkLYWq2Qy6qwZWU/ztfXfCIa3cyKjvJ8nvieH58xXYbfvNy939FtT9fa7b3/hKr/b7afXPV96j5h9n3V9aqs119O11A6MYts6CCjRD1On+NjVDSi8U7PZzwfwprxnDkAr+UV2fMSy9AZ/uhQ5s+l+eeO8/geDw/97ly/O3Ruh03bWc9/Wci/G95ndezzuffQvV7d66rOdXW3p7XMaYk/MqsbGUr/WJZ97NjH1mh4/dm5fHaobobPmlnrtzTU2y1tMzwNgTKoIUAXraAgpewzBmEnSeIcEkCQCdIEcwVISARF+BMhQwUSSPQBvtjSCjDp0SbH/HTQ147pJGP+dOBNQrSIJZ3O6pgRHTRtVUN29Ir278eUZgZSRWtI9k8HnepOoVz+pUNt2NGJLBHpJuP8aOAXgi7Gcj8t2ONfuuCmM5rEJ0x7K6GiEmK1cWR5/ZBeBJEaWU8LtmjV8tD7RzRIsqRUihqtrceV7txjlSaKe1AFMh3dyoRTGkv/QxdRaWimByEdavOhExkQdRXaGioe10J3aTijg35+oic7xRiQoIqa7297NGJPFSUDKDSNzOGhkYsUo8152jEMOc4wehQBrYfupwnbnlEg75MewK0LulhQW6UXphUHmU/EymgiGUnVkUGN+MXw2yhDDwFjxEJtpI82R1IXZaXC6apOf9dnM0cBKElQpQ8Y0TaViEqmqoCzCsJOKtY=",
	"base64",
);

/**
 * A frame whose blocks are a byte that is repeated, 128 KB each: 4 bytes of the file become 131,072.
 * @param {number} blocks
 */
export function repeated(blocks) {
	const header = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]; // a window of 2 MB
	const body = Array.from({ length: blocks }, (_, i) => {
		const word = ((1 << 17) << 3) | (1 << 1) | Number(i === blocks - 1);
		return [word & 255, (word >> 8) & 255, word >> 16, 0x20];
	});
	return Buffer.from([...header, ...body.flat()]);
}
