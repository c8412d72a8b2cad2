/** The page that replaces QuickBooks' screens: the newest sales receipts, refunds and deposits. */
import { companyName } from '../company/chart.ts'
import type { Entity, Reference } from '../entity.ts'
import { escapeHtml } from '../../http.ts'

const maxShown = 100

type Shown = 'SalesReceipt' | 'RefundReceipt' | 'Deposit'
type Line = { DetailType: string; Amount?: number; Description?: string; SalesItemLineDetail?: { ItemRef: Reference; Qty?: number } }

/** @param entries newest first. */
export function salesPage(entries: readonly { type: Shown; entity: Entity }[]): string {
  const count = entries.length > maxShown ? `the newest ${maxShown} of ${entries.length}` : String(entries.length)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipts (${entries.length})</title>
<style>${styles}</style>
</head>
<body>
<header>
<h1>${escapeHtml(companyName)}</h1>
<p>Sales, refunds and deposits recorded by the application. This page simulates QuickBooks Online: no data leaves this machine. It refreshes every 5 seconds.</p>
<p>Sales, refunds and deposits: ${count}</p>
</header>
<main>${entries.slice(0, maxShown).map(card).join('\n') || '<p class="empty">No receipts yet.</p>'}</main>
<script>setInterval(() => location.reload(), 5000)</script>
</body>
</html>
`
}

function card({ type, entity }: { type: Shown; entity: Entity }): string {
  const rows = [
    ['Date', text(entity.TxnDate)],
    ['Customer', nameOf(entity.CustomerRef)],
    ['Account', nameOf(entity.DepositToAccountRef)],
    ['Paid by', nameOf(entity.PaymentMethodRef)],
    ['Reference', text(entity.PaymentRefNum)],
    ['Class', nameOf(entity.ClassRef)],
    ['Note', text(entity.PrivateNote)],
  ].flatMap(([name, value]) => (value ? [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`] : []))
  const { TotalTax: tax } = (entity.TxnTaxDetail ?? {}) as { TotalTax?: number }
  const lines = [
    ...(entity.Line as Line[]).map((line) => [titleOf(line), line.Amount] as const),
    ...(tax === undefined ? [] : [['Tax', tax] as const]),
    ['Total', Number(entity.TotalAmt)] as const,
  ].map(([title, amount]) => `<tr><td>${escapeHtml(title)}</td><td>${amount === undefined ? '' : amount.toFixed(2)}</td></tr>`)
  const title = `${titles[type]} ${text(entity.DocNumber) ?? entity.Id}`
  return `<article><h2>${escapeHtml(title)}</h2><dl>${rows.join('')}</dl><table>${lines.join('')}</table></article>`
}

const titles: Record<Shown, string> = { SalesReceipt: 'Sales receipt', RefundReceipt: 'Refund receipt', Deposit: 'Deposit' }

function titleOf(line: Line): string {
  if (line.DetailType === 'DiscountLineDetail') return 'Discount'
  if (line.DetailType === 'SubTotalLineDetail') return 'Subtotal'
  const { ItemRef, Qty } = line.SalesItemLineDetail ?? {}
  return `${Qty === undefined ? '' : `${Qty} × `}${ItemRef?.name ?? line.Description ?? ''}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function nameOf(reference: unknown): string | undefined {
  return (reference as Reference | undefined)?.name
}

const styles = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem }
h1 { margin: 0; font-size: 1.4rem } h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere }
header p, dt, .empty { color: light-dark(#666, #aaa) }
header p { margin: .25rem 0 }
article { margin-top: 1rem; padding: 1rem 1.25rem; border: 1px solid light-dark(#ddd, #444); border-radius: .5rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .5rem 0; font-size: .9rem } dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse } td { padding: .1rem 0 } td:last-child { text-align: right; font-variant-numeric: tabular-nums }
tr:last-child { font-weight: 600 }
`
