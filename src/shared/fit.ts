export interface Size {
  width: number
  height: number
}

/** The size at which a picture fits into a box: as large as it is or smaller, never distorted. */
export function fitInto({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: width * scale, height: height * scale }
}
