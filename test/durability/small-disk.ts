import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type SmallDisk = {
  folder: string
  /** Leaves no space but these bytes. */
  fill: (leave?: number) => void
  /** Gives the space back. */
  free: () => void
  unmount: () => void
}

/** A file system of its own in memory; null where this process has not the right to mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'refyne-test', folder])
  if (status !== 0) {
    fs.rmdirSync(folder)
    return null
  }
  const ballast = path.join(folder, 'ballast')
  return {
    folder,
    fill(leave = 0) {
      const file = fs.openSync(ballast, 'a')
      for (const size of [1_048_576, 4_096]) writeUntilFull(file, Buffer.alloc(size, 1))
      fs.ftruncateSync(file, Math.max(0, fs.fstatSync(file).size - leave))
      fs.closeSync(file)
    },
    free: () => fs.rmSync(ballast, { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', folder])
      fs.rmdirSync(folder)
    },
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    while (fs.writeSync(file, piece) === piece.length) continue
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
