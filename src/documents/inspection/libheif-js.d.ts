/** As much of the package as heic-worker.ts uses; it comes without types for these. */
declare module 'libheif-js/wasm-bundle.js' {
  export type Pixels = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }
  export type Picture = {
    /** As it is seen: turned as the file says. */
    get_width(): number
    get_height(): number
    is_primary(): number
    /** Fills in red, green, blue and opacity of each pixel; null when it cannot. */
    display(into: Pixels, done: (filled: Pixels | null) => void): void
  }
  const libheif: { HeifDecoder: new () => { decode(file: Uint8Array): Picture[] } }
  export default libheif
}
