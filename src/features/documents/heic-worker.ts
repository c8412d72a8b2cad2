/** Decodes a HEIC in a thread of its own (heic-preview.ts starts it): it takes seconds, may need 2 GB, and can be stopped only from outside. */
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

const { file, mostPixels } = workerData as { file: string; mostPixels: number }
const pictures = new libheif.HeifDecoder().decode(fs.readFileSync(file))
const picture = pictures.find((one) => one.is_primary()) ?? pictures[0]
if (!picture) throw new Error('There is no picture in the file')
const [width, height] = [picture.get_width(), picture.get_height()]
if (width * height > mostPixels) throw new Error(`The picture has ${width} by ${height} pixels`)

picture.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, (filled) => {
  if (!filled) throw new Error('The picture cannot be decoded')
  parentPort?.postMessage({ width, height, pixels: filled.data.buffer }, [filled.data.buffer])
})
