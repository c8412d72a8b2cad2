/** The page on which a user grants an application access to their mailbox. */
import { escapeHtml } from './http.ts'

export type ConsentPage = {
  vendor: string
  /** The form's target. */
  action: string
  /** The parameters of the authorization request, sent again with the form. */
  params: URLSearchParams
  email: string
  /** Why access cannot be granted. */
  problem?: string | undefined
}

/** Renders the page. Both buttons send `answer`: allow or cancel. The user can change the suggested address. */
export function consentPage({ vendor, action, params, email, problem }: ConsentPage): string {
  const hidden = [...params]
    .filter(([name]) => name !== 'email' && name !== 'answer')
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  const form = `<p>The application wants to read, write and send your email.</p>
<p class="note">This page simulates ${escapeHtml(vendor)}. No data leaves this machine.</p>
<form method="post" action="${escapeHtml(action)}">${hidden.join('')}
<p><label>Mailbox <input type="email" name="email" required value="${escapeHtml(email)}"></label></p>
<button name="answer" value="allow">Allow</button> <button name="answer" value="cancel" formnovalidate>Cancel</button></form>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(vendor)} simulator</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 4rem auto; max-width: 30rem; padding: 0 1rem }
.note { color: light-dark(#666, #aaa); font-size: .9rem }
button, input { font: inherit; padding: .4rem .8rem } input { max-width: 100% }
</style>
</head>
<body>
<h1>${escapeHtml(vendor)}</h1>
${problem === undefined ? form : `<p>The application couldn’t connect: ${escapeHtml(problem)}</p>`}
</body>
</html>
`
}
