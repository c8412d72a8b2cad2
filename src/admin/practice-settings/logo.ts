import { fileTypeFromBuffer } from 'file-type'
import { readBytes } from '../../kernel/http/read-bytes.ts'
import type { Scope } from '../../kernel/scope.ts'
import { renderLogo } from '../../documents/service.ts'
import { logoLimit } from './contract.ts'
import { setLogo } from './settings.ts'

const mimeTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

const refuse = (status: number, code: string, message: string): Response => Response.json({ code, message }, { status })

/**
 * POST /api/practice/logo: accepts the bytes of an image, whose type is detected from its content and not from its name. The image is
 * re-encoded, so that no metadata is stored. SVG can contain code and is refused.
 */
export async function logoUploadResponse(scope: Scope, request: Request): Promise<Response> {
  const bytes = await readBytes(request, logoLimit)
  if (!bytes) return refuse(413, 'FILE_TOO_LARGE', 'The logo can be at most 2 MB')
  const kind = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (!kind || !mimeTypes.includes(kind.mime)) return refuse(422, 'FILE_TYPE', 'Choose a PNG, JPEG or WebP image')
  const png = await renderLogo(bytes)
  if (!png) return refuse(422, 'FILE_BROKEN', 'This image cannot be read or is too large')
  const { logo } = await setLogo(scope, png)
  return Response.json({ id: logo }, { status: 201 })
}

/** GET /api/practice/logo/{hash}.png: public, because the sign-in page shows it. A URL always returns the same image. */
export function logoResponse({ practice }: Scope, hash: string): Response {
  const logo = practice.logo()
  if (logo?.hash !== hash) return refuse(404, 'NOT_FOUND', 'Logo not found')
  return new Response(logo.png, { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' } })
}
