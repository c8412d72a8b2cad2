/** Worker that parses untrusted files, started by file-pools.ts, so that they are parsed nowhere else. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { type MailPicture, renderMailPicture } from '../render-mail-picture.ts'
import { renderLogo } from '../render-logo.ts'
import { renderPortrait } from '../render-portrait.ts'
import { type Examined, examineFile } from './examine.ts'
import { renderPreview } from './heic-preview.ts'
import { type PreparedPhoto, preparePhoto } from './prepare-photo.ts'
import { type PhotoChanges, renderPhoto } from './render-photo.ts'
import { watermarkPhoto } from './watermark-photo.ts'

export type FileTask =
  | { examine: { file: string; name: string } }
  | { photo: { file: string; name: string } }
  | { copy: Uint8Array; changes: PhotoChanges }
  | { shown: Uint8Array; text: string }
  | { preview: string }
  | { mailPicture: { file: string; isHeic: boolean } }
  | { logo: Uint8Array }
  | { portrait: Uint8Array }
export type FileWork = (task: FileTask) => Promise<Examined | PreparedPhoto | MailPicture | Uint8Array | null>

runWorker<FileWork>((task) => {
  if ('examine' in task) return examineFile(task.examine)
  if ('photo' in task) return preparePhoto(task.photo)
  if ('copy' in task) return renderPhoto(task.copy, task.changes)
  if ('shown' in task) return watermarkPhoto(task.shown, task.text)
  if ('preview' in task) return renderPreview(task.preview)
  if ('mailPicture' in task) return renderMailPicture(task.mailPicture)
  return 'portrait' in task ? renderPortrait(task.portrait) : renderLogo(task.logo)
})
