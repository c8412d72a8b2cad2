/** A typical newsletter: table layout, remote images and a tracking pixel. */
import { type Address, htmlOfText } from './message.ts'

export function newsletterHtml(subject: string, message: string, from: Address): string {
  const host = from.email.split('@')[1] ?? 'news.example'
  return `<!doctype html><html><head><meta charset="utf-8"><style>.button{background:#235;color:#fff;padding:8px 16px}</style></head>
<body style="margin:0;background:#f4f4f4"><table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table width="600" style="background:#fff;font-family:Arial,sans-serif"><tr><td><img src="https://${host}/header.png" width="600" height="120" alt="${htmlOfText(from.name)}"></td></tr>
<tr><td style="padding:24px"><h1 style="font-size:22px">${htmlOfText(subject)}</h1><p>${htmlOfText(message)}</p>
<p><a class="button" href="https://${host}/read?issue=42&amp;to=clinic">Read more</a></p></td></tr>
<tr><td style="padding:24px;font-size:12px;color:#777">You receive this because you are a member. <a href="https://${host}/unsubscribe">Unsubscribe</a></td></tr></table>
<img src="https://${host}/open.gif?m=1" width="1" height="1" alt=""></td></tr></table></body></html>`
}
