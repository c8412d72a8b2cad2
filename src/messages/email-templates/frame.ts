import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { documentFor, mailFrameHeaders } from '../../platform/mail/frame-rules.ts'
import { previewInput } from './contract.ts'
import { previewTemplate } from './preview.ts'

const no = (status: number, code: string, message: string) => Response.json({ code, message }, { status })

/**
 * POST /api/email-templates/preview.html: a draft as the document of its preview frame. It has its own URL because a `srcdoc` would
 * inherit the page's policy, which blocks an email's styles. Images load: the clinic itself put them there.
 */
export async function frameResponse(scope: Scope, request: Request): Promise<Response> {
  const form = await request.formData().catch(() => null)
  if (!form) return no(415, 'UNSUPPORTED_CONTENT_TYPE', 'Send a form')
  const language = form.get('language') ?? undefined
  const parsed = previewInput.safeParse({ subject: '', body: form.get('body'), language, variables: { html_content: form.get('html') } })
  if (!parsed.success) return no(422, 'BAD_REQUEST', parsed.error.issues[0]!.message)
  const preview = await previewTemplate(scope, parsed.data)
  const showRemote = true
  return new Response(documentFor(isRefusal(preview) ? '' : preview.html, { showRemote }), { headers: mailFrameHeaders({ showRemote }) })
}
