/** The page that replaces a mailbox: every sent email, newest first, with clickable links and readable codes. */
import type { AcceptedMail } from './outbox.ts'
import type { PatientReply } from './patient-answer.ts'

/** The replies to each email, and whether there is a hook to post a reply to. */
type Replies = { replies: ReadonlyMap<string, readonly PatientReply[]>; canReply: boolean }

/** @param to limits the list to one recipient, and is shown on the page. */
export function outboxPage(emails: readonly AcceptedMail[], to: string | null, replies: Replies): string {
  const count = emails.length === 1 ? '1 email' : `${emails.length} emails`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox (${emails.length})</title>
<style>${styles}</style>
</head>
<body>
<header>
<h1>Outbox</h1>
<p>Emails sent by the application. This page simulates Postmark: no email leaves this machine. It refreshes every 5 seconds.</p>
<form><label>To <input type="search" name="to" value="${escape(to ?? '')}" placeholder="All recipients"></label> <button>Show</button> <span>${count}</span></form>
</header>
<main>${emails.map((mail) => mailCard(mail, to, replies)).join('\n') || '<p class="empty">No emails yet.</p>'}</main>
<script>
const isWriting = () => document.activeElement?.name === 'to' || document.querySelector('details[open]') !== null
setInterval(() => isWriting() || location.reload(), 5000)
</script>
</body>
</html>
`
}

function mailCard(mail: AcceptedMail, to: string | null, replies: Replies): string {
  const rows = [
    ['From', mail.From],
    ['To', mail.To],
    ['Cc', mail.Cc],
    ['Bcc', mail.Bcc],
    ['Reply-To', mail.ReplyTo],
    ['Attachments', mail.Attachments?.map((file) => `${file.Name} (${file.ContentType})`).join(', ')],
  ].flatMap(([name, value]) => (value ? [`<dt>${name}</dt><dd>${escape(value)}</dd>`] : []))
  const html = mail.HtmlBody
    ? `<p><a href="/_outbox/${encodeURIComponent(mail.MessageID)}/html" target="_blank" rel="noopener">HTML version</a></p>`
    : ''
  return `<article id="${escape(mail.MessageID)}">
<h2>${escape(mail.Subject || '(no subject)')}</h2>
<time datetime="${escape(mail.SubmittedAt)}">${escape(mail.SubmittedAt.replace('T', ' ').slice(0, 19))} UTC</time>
<dl>${rows.join('')}</dl>
${mail.TextBody ? `<pre>${linkify(mail.TextBody)}</pre>` : ''}${html}
${(replies.replies.get(mail.MessageID) ?? []).map(replyCard).join('')}${replies.canReply ? replyForm(mail, to) : ''}
</article>`
}

function replyCard({ text, at, outcome }: PatientReply): string {
  return `<blockquote><p>${escape(text)}</p><small>Replied ${escape(at.slice(11, 19))} UTC. ${escape(outcome)}</small></blockquote>`
}

function replyForm(mail: AcceptedMail, to: string | null): string {
  return `<details><summary>Reply as patient</summary>
<form method="post" action="/_outbox/${encodeURIComponent(mail.MessageID)}/answer">
<input type="hidden" name="to" value="${escape(to ?? '')}">
<label>To ${escape(mail.ReplyTo || mail.From)}<textarea name="text" rows="4" required></textarea></label>
<button>Send reply</button>
</form></details>`
}

/** Escaped text with URLs as links. A trailing period or bracket is not part of the URL. */
function linkify(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/)
    .map((part, index) => (index % 2 === 0 ? escape(part) : `<a href="${escape(part)}" target="_blank" rel="noopener">${escape(part)}</a>`))
    .join('')
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const styles = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem }
h1 { margin: 0; font-size: 1.4rem } h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere }
header p, time, dt, form span, .empty { color: light-dark(#666, #aaa) }
header p { margin: .25rem 0 1rem }
form span { white-space: nowrap }
input, button { font: inherit; padding: .2rem .5rem }
article { margin-top: 1rem; padding: 1rem 1.25rem; border: 1px solid light-dark(#ddd, #444); border-radius: .5rem }
time { font-size: .85rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .5rem 0; font-size: .9rem } dd { margin: 0; overflow-wrap: anywhere }
pre { margin: .75rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
details { margin-top: .75rem } summary { cursor: pointer } details label { display: block; margin: .5rem 0 } details input { display: none }
textarea { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; font: inherit; padding: .4rem .5rem }
blockquote { margin: .75rem 0 0; padding: .25rem 0 .25rem .9rem; border-left: 3px solid light-dark(#bbb, #666); white-space: pre-wrap; overflow-wrap: anywhere }
blockquote p { margin: 0 } small { color: light-dark(#666, #aaa) }
`
