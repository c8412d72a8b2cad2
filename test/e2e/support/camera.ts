import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromiumFlags, findChromium } from '../../../scripts/chromium.ts'

/** A browser whose camera shows a film of these JPEGs, one after the other, and allows it to every page. `end` removes the film. */
export async function filmCamera(pictures: readonly Buffer[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-camera-'))
  const film = path.join(folder, 'film.mjpeg')
  fs.writeFileSync(film, Buffer.concat(pictures))
  const browser = await findChromium()
  const launchOptions = {
    executablePath: browser.executablePath,
    env: { ...process.env, ...browser.env, LC_ALL: 'C.UTF-8' },
    args: [
      ...chromiumFlags,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  }
  return { launchOptions, end: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
