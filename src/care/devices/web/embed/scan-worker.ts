import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import file from 'zxing-wasm/reader/zxing_reader.wasm?url'

/*
 * Recognizes barcodes where the browser does not, such as on an iPhone. It runs in a worker, whose own policy allows the WebAssembly that pages may
 * not run (scanWorkerPolicy in app/headers.ts). It is sent a picture and answers with the texts in it, or null if it cannot start.
 */
prepareZXingModule({ overrides: { locateFile: () => file } })

addEventListener('message', ({ data: picture }: MessageEvent<ImageData>) => {
  const answer = (texts: readonly string[]) => postMessage(texts)
  readBarcodes(picture, { formats: ['DataMatrix', 'Code128'], textMode: 'Plain', maxNumberOfSymbols: 1 }).then(
    (found) => answer(found.filter(({ isValid }) => isValid).map(({ text }) => text)),
    () => postMessage(null),
  )
})
