/** Worker that parses untrusted files, started by file-pools.ts, so that they are parsed nowhere else. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { renderLogo } from '../render-logo.ts'
import { type Examined, examineFile } from './examine.ts'
import { renderPreview } from './heic-preview.ts'

export type FileTask = { examine: { file: string; name: string } } | { preview: string } | { logo: Uint8Array }
export type FileWork = (task: FileTask) => Promise<Examined | Uint8Array | null>

runWorker<FileWork>((task) => {
  if ('examine' in task) return examineFile(task.examine)
  return 'preview' in task ? renderPreview(task.preview) : renderLogo(task.logo)
})
