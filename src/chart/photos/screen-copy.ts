import { buffer } from 'node:stream/consumers'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { watermarkPhoto } from '../../documents/service.ts'
import type { PhotoBytes } from './files.ts'

/**
 * A copy of a photo as staff see it at screen size: with PHOTO_WATERMARK, who looks at it and when is drawn over it, in the bytes themselves. The
 * stored copy stays as it is. `version`: of the copy's bytes. BUSY: too many are being drawn; the copy is never sent without the mark.
 */
export async function markedForViewer(scope: Scope, version: string, copy: PhotoBytes): Promise<PhotoBytes | Refusal<'BUSY'>> {
  if (!scope.env.PHOTO_WATERMARK) return copy
  const text = viewerText(scope)
  const key = `${version} ${text}`
  const known = recent.get(key)
  // Its bytes are not read: the file is closed.
  if (known) await copy.bytes.cancel()
  const drawing = known ?? buffer(copy.bytes).then((bytes) => watermarkPhoto(new Uint8Array(bytes), text))
  recent.delete(key)
  recent.set(key, drawing)
  for (const oldest of recent.keys()) {
    if (recent.size <= maxRecent) break
    recent.delete(oldest)
  }
  const marked = await drawing.catch((error: unknown) => {
    recent.delete(key)
    throw error
  })
  if (!marked) {
    recent.delete(key)
    return refuse('BUSY')
  }
  return { size: marked.byteLength, bytes: new Blob([marked]).stream() }
}

/**
 * Of this process, newest last: someone who looks at a photo, compares it and marks it up within a minute gets one drawing. They are never written
 * down: each would be another photo for a thief. A copy has about half a megabyte.
 */
const recent = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>()
const maxRecent = 24

/**
 * 'Dr. Maya Chen · maya.chen@harbourview.example · 2026-11-27 15:04', in the practice's time. People change their name by themselves, so the mark has
 * the email address too; alone, where the font has no letters for the name.
 */
function viewerText(scope: Scope): string {
  const { name, email } = staff(scope)
  const { day, time } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  return `${/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]+$/u.test(name) ? `${name} · ${email}` : email} · ${day} ${time}`
}
