/** As browsers that recognize barcodes offer it (Barcode Detection API); TypeScript does not know it yet. */
interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

export const detectorClass = (): DetectorClass | undefined => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether this browser recognizes barcodes by itself. */
export const canScanByCamera = (): boolean => detectorClass() !== undefined && 'mediaDevices' in navigator
