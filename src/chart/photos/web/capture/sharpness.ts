interface Pixels {
  /** RGBA, as a canvas gives them. */
  data: Uint8ClampedArray
  width: number
  height: number
}

/** How sharp a picture is beside others of the same thing: the variance of its edges (Laplacian), which blur flattens. */
export function sharpnessOf({ data, width, height }: Pixels): number {
  const brightness = (x: number, y: number) => {
    const at = (y * width + x) * 4
    return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!
  }
  let [sum, squares, count] = [0, 0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const edge = 4 * brightness(x, y) - brightness(x - 1, y) - brightness(x + 1, y) - brightness(x, y - 1) - brightness(x, y + 1)
      sum += edge
      squares += edge * edge
      count++
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2
}

/** In pixels: enough to tell a blurred picture, and quick. */
const measuredWidth = 640

/** Measures what a picture shows. */
export async function measureSharpness(picture: Blob): Promise<number> {
  const bitmap = await createImageBitmap(picture)
  const canvas = document.createElement('canvas')
  canvas.width = measuredWidth
  canvas.height = Math.max(1, Math.round((bitmap.height / bitmap.width) * measuredWidth))
  const drawing = canvas.getContext('2d', { willReadFrequently: true })!
  drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return sharpnessOf(drawing.getImageData(0, 0, canvas.width, canvas.height))
}
