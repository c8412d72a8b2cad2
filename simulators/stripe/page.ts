/** The page of the demo: what Stripe's dashboard would show, where one taps a card at a reader, opens a dispute or pays out. */
import { escapeHtml as escape } from '../http.ts'
import type { Store } from './store.ts'

const maxRows = 50
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
const act = (action: string, id: string, label: string, number = ''): string =>
  `<form method="post" action="/_page/act"><input type="hidden" name="act" value="${action}"><input type="hidden" name="id" value="${escape(id)}"><input type="hidden" name="number" value="${number}"><button>${label}</button></form>`

export function accountPage(store: Store): string {
  const charges = store.list('charge').slice(0, maxRows)
  const readers = store.list('terminal.reader')
  const disputes = store.list('dispute').slice(0, maxRows)
  const payouts = store.list('payout').slice(0, maxRows)
  const rows = (items: string[], none: string) => (items.length > 0 ? `<ul>${items.join('')}</ul>` : `<p>${none}</p>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stripe simulator</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.4rem } h2 { margin: 1.5rem 0 .25rem; font-size: 1.05rem } ul { padding: 0; list-style: none }
li { padding: .5rem 0; border-top: 1px solid light-dark(#ddd, #444) } form { display: inline } button { font: inherit; padding: .2rem .6rem }
p { color: light-dark(#666, #aaa) }
</style>
</head>
<body>
<h1>Stripe</h1>
<p>This page simulates Stripe: no money leaves this machine. Reload it to see what has changed.</p>
<h2>Readers</h2>
${rows(
  readers.map(({ id, label, action }) => {
    const isBusy = action?.status === 'in_progress'
    const taps = [
      act('tap', id, 'Tap Visa'),
      act('tap', id, 'Tap Interac', '4506445006931933'),
      act('tap', id, 'Tap declined card', '4000000000000002'),
    ]
    return `<li>${escape(label)}: ${isBusy ? `waiting for a card ${taps.join(' ')}` : (action?.status ?? 'ready')}</li>`
  }),
  'No readers yet.',
)}
<h2>Payments</h2>
${rows(
  charges.map(({ id, amount, status, description, failure_message: failure, disputed, amount_refunded: refunded }) => {
    const state = failure ?? (disputed ? 'disputed' : refunded > 0 ? `${dollars(refunded)} refunded` : status)
    const button = status === 'succeeded' && !disputed ? act('dispute', id, 'Dispute as cardholder') : ''
    return `<li>${dollars(amount)} · ${escape(String(description ?? id))} · ${escape(state)} ${button}</li>`
  }),
  'No payments yet.',
)}
<h2>Disputes</h2>
${rows(
  disputes.map(({ id, amount, reason, status }) => {
    const buttons = status === 'under_review' ? act('won', id, 'Practice wins') + act('lost', id, 'Practice loses') : ''
    return `<li>${dollars(amount)} · ${escape(reason)} · ${escape(status)} ${buttons}</li>`
  }),
  'No disputes yet.',
)}
<h2>Payouts ${act('payout', '', 'Pay out now')}</h2>
${rows(
  payouts.map(({ amount, status }) => `<li>${dollars(amount)} · ${escape(status)}</li>`),
  'No payouts yet.',
)}
</body>
</html>
`
}
