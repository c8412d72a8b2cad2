/** The page of the demo: the phone of each patient, where one answers as the patient. */
import { escapeHtml as escape } from '../http.ts'
import type { TextMessage } from './message.ts'

/** @param messages oldest first. */
export function phonesPage(messages: readonly TextMessage[]): string {
  const phones = Map.groupBy(messages, ({ direction, from, to }) => (direction === 'inbound' ? from : to))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phones (${phones.size})</title>
<style>${styles}</style>
</head>
<body>
<h1>Phones</h1>
<p>Text messages sent by the application. This page simulates Twilio: no text leaves this machine. It refreshes every 5 seconds.</p>
<main>${[...phones].toReversed().map(phoneCard).join('\n') || '<p>No text messages yet.</p>'}
<article><h2>Another phone</h2>${answerForm('')}</article></main>
<script>
const isWriting = () => [...document.querySelectorAll('textarea, input[type=tel]')].some((field) => field === document.activeElement || field.value !== field.defaultValue)
setInterval(() => isWriting() || location.reload(), 5000)
</script>
</body>
</html>
`
}

function phoneCard([number, messages]: [string, readonly TextMessage[]]): string {
  const lines = messages.map(({ direction, body, media, status, errorCode, sid }) => {
    const state = direction === 'inbound' ? 'From the patient' : status + (errorCode ? ` (${errorCode})` : '')
    const files = media.length > 0 ? ` [${media.map(({ contentType }) => escape(contentType)).join(', ')}]` : ''
    return `<p class="${direction}" id="${sid}">${escape(body)}${files}<small>${state}</small></p>`
  })
  return `<article id="${escape(number)}"><h2>${escape(number)}</h2>${lines.join('')}${answerForm(number)}</article>`
}

const answerForm = (number: string): string => `<form method="post" action="/_phones/answer">
${number ? `<input type="hidden" name="from" value="${escape(number)}">` : '<label>Number <input type="tel" name="from" required placeholder="+14165550142"></label>'}
<label>Text <textarea name="body" rows="2" required></textarea></label> <button>Send as patient</button>
</form>`

const styles = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 34rem; padding: 1.5rem 1rem 4rem }
h1 { margin: 0; font-size: 1.4rem } h2 { margin: 0 0 .5rem; font-size: 1.05rem }
body > p, small { color: light-dark(#666, #aaa) } small { display: block }
article { margin-top: 1rem; padding: 1rem 1.25rem; border: 1px solid light-dark(#ddd, #444); border-radius: .5rem }
article p { margin: .25rem 0; padding: .4rem .75rem; border-radius: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; width: fit-content; max-width: 85% }
.outbound-api { background: light-dark(#eee, #333) } .inbound { margin-left: auto; background: light-dark(#dfeee9, #23433a) }
textarea, input, button { font: inherit; padding: .3rem .5rem } textarea { display: block; box-sizing: border-box; width: 100%; margin: .25rem 0 .5rem }
`
