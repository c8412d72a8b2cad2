export interface Size {
  width: number
  height: number
}

/** Scales a size down to fit a box, keeping the aspect ratio; never scales up. */
export function fitInto({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: width * scale, height: height * scale }
}
