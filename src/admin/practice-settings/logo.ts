import { fileTypeFromBuffer } from 'file-type'
import { readBytes } from '../../kernel/http/read-bytes.ts'
import type { Scope } from '../../kernel/scope.ts'
import { drawLogo } from '../../documents/service.ts'
import { logoLimit } from './contract.ts'
import { setLogo } from './settings.ts'

const kinds: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

const refuse = (status: number, code: string, message: string): Response => Response.json({ code, message }, { status })

/**
 * POST /api/practice/logo: the bytes of a picture, which is known by what it is, not by its name. It is drawn again, so that nothing is kept of
 * what else the file says; a drawing (SVG) could hold code and is refused.
 */
export async function logoUploadResponse(scope: Scope, request: Request): Promise<Response> {
  const bytes = await readBytes(request, logoLimit)
  if (!bytes) return refuse(413, 'FILE_TOO_LARGE', 'A logo may have 2 MB at most')
  const kind = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (!kind || !kinds.includes(kind.mime)) return refuse(422, 'FILE_TYPE', 'Choose a picture: PNG, JPEG or WebP')
  const png = await drawLogo(bytes)
  if (!png) return refuse(422, 'FILE_BROKEN', 'This picture cannot be read, or is too large')
  const { logo } = await setLogo(scope, png)
  return Response.json({ id: logo }, { status: 201 })
}

/** GET /api/practice/logo/{hash}.png: for everyone, as it stands where people sign in. An address never shows another picture. */
export function logoResponse({ practice }: Scope, hash: string): Response {
  const logo = practice.logo()
  if (logo?.hash !== hash) return refuse(404, 'NOT_FOUND', 'Logo not found')
  return new Response(logo.png, { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' } })
}
