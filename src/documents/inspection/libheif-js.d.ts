/** Types for the part of the package that heic-preview.ts uses; the package has none. */
declare module 'libheif-js/wasm-bundle.js' {
  export type Pixels = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }
  export type Picture = {
    /** After applying the file's rotation. */
    get_width(): number
    get_height(): number
    is_primary(): number
    /** Writes red, green, blue and alpha of each pixel; null on failure. */
    display(into: Pixels, done: (filled: Pixels | null) => void): void
  }
  const libheif: { HeifDecoder: new () => { decode(file: Uint8Array): Picture[] } }
  export default libheif
}
