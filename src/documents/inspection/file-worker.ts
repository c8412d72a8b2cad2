/** Reads files that came from outside, as a worker of its own (file-pools.ts starts it): whatever is in them, it is read nowhere else. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { drawLogo } from '../draw-logo.ts'
import { type Examined, examineFile } from './examine.ts'
import { drawPreview } from './heic-preview.ts'

export type FileTask = { examine: { file: string; name: string } } | { preview: string } | { logo: Uint8Array }
export type FileWork = (task: FileTask) => Promise<Examined | Uint8Array | null>

runWorker<FileWork>((task) => {
  if ('examine' in task) return examineFile(task.examine)
  return 'preview' in task ? drawPreview(task.preview) : drawLogo(task.logo)
})
