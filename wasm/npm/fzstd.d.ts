/** Decompresses Zstandard data, up to a number of bytes; null if it has more. */
export function decompress(data: Uint8Array, most: number): Uint8Array | null;
