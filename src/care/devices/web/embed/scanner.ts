/** As browsers that recognize barcodes offer it (Barcode Detection API); TypeScript does not know it yet. */
type NativeDetector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type DetectorClass = (new (options: { formats: string[] }) => NativeDetector) & { getSupportedFormats: () => Promise<string[]> }

/** Recognizes the codes of labels in what a video element shows. */
export interface Scanner {
  /** @throws if it cannot start */
  read: (video: HTMLVideoElement) => Promise<readonly string[]>
  close: () => void
}

/** Whether this browser has a camera for pages; it has none for pages without https. */
export const canScanByCamera = (): boolean => 'mediaDevices' in navigator && typeof WebAssembly === 'object'

const formats = ['data_matrix', 'code_128']

/** The browser's own recognition where it knows the codes of labels, else that of a worker. */
export async function openScanner(): Promise<Scanner> {
  const Class = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const known = await Class?.getSupportedFormats().catch(() => [])
  return Class && formats.every((format) => (known as readonly string[] | undefined)?.includes(format))
    ? nativeScanner(new Class({ formats }))
    : workerScanner()
}

const nativeScanner = (detector: NativeDetector): Scanner => ({
  // A picture that is not ready is no failure.
  read: async (video) => (await detector.detect(video).catch(() => [])).map(({ rawValue }) => rawValue),
  close: () => {},
})

/** Of the longer side, in pixels: enough for a label that fills a third of the picture. */
const maxSide = 1_600

function workerScanner(): Scanner {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' })
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('The code reader did not start')))
  })
  failed.catch(() => {})
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d', { willReadFrequently: true })!
  return {
    read(video) {
      const scale = Math.min(1, maxSide / Math.max(video.videoWidth, video.videoHeight))
      canvas.width = Math.round(video.videoWidth * scale)
      canvas.height = Math.round(video.videoHeight * scale)
      if (canvas.width === 0) return Promise.resolve([])
      drawing.drawImage(video, 0, 0, canvas.width, canvas.height)
      const read = new Promise<string[]>((resolve, reject) => {
        const onMessage = ({ data }: MessageEvent<string[] | null>) =>
          data ? resolve(data) : reject(new Error('The code reader did not start'))
        worker.addEventListener('message', onMessage, { once: true })
        const picture = drawing.getImageData(0, 0, canvas.width, canvas.height)
        worker.postMessage(picture, [picture.data.buffer])
      })
      return Promise.race([read, failed])
    },
    close: () => worker.terminate(),
  }
}
