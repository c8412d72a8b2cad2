import { useEffect, useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatMoney, today } from '../../../../ui/format.ts'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { Totals } from '../../../pos/rules.ts'
import ActionDialogs from '../detail/ActionDialogs.tsx'
import type { ChoicesData, QuoteData, QuotePatient } from '../quote-data.ts'
import { takeFocus } from './kept-focus.ts'
import { listTotal, newDraft } from './price-list.ts'
import { QuoteAside } from './QuoteAside.tsx'
import { discountOf, draftOf, type QuoteDraft, totalsOfDraft } from './quote-draft.ts'
import { QuoteFields } from './QuoteFields.tsx'
import { type QuoteEditorState, useQuoteEditor } from './useQuoteEditor.ts'
import { type QuoteSaving, useQuoteSaving } from './useQuoteSaving.ts'

interface QuoteEditorProps {
  patient: QuotePatient
  /** Null: a new one. */
  quote: QuoteData | null
  /** The other versions of the quote. */
  versions: readonly QuoteData[]
  choices: ChoicesData
  codes: readonly PosTaxCode[]
  defaultCode: string
}

/** Creates a quote or edits a draft: header, lines and payment schedule, with totals next to them. */
export function QuoteEditor({ patient, quote, versions, choices: loaded, codes, defaultCode }: QuoteEditorProps) {
  const clock = useClock()
  // The initial options: price changes in the meantime don't change the open form.
  const [choices] = useState(loaded)
  const beginning = { choices, today: today(clock), timeZone: clock.timeZone, defaultCode }
  const [initial] = useState(() => (quote ? draftOf(quote, choices) : newDraft(beginning)))
  const editor = useQuoteEditor({ quote, contactId: patient.id, initial, codes, choices })
  const { draft } = editor
  const form = useProblemFocus({ tries: editor.tries, problems: editor.problems, showWhole: editor.showWhole })
  const isWide = useMedia('(width >= 80rem)')
  const saving = useQuoteSaving({ quote, contactId: patient.id, editor, form })

  // Initial focus: the procedure or title; after the first save, the previously focused element.
  useEffect(() => {
    const focused = takeFocus(form.current)
    if (!matchMedia('(pointer: coarse)').matches) (focused ?? form.current?.querySelector<HTMLElement>('[data-begins]'))?.focus()
  }, [form])

  const totals = totalsOfDraft(draft, codes)
  const aside = <QuoteAside totals={shownTotals(draft, totals, codes)} listCents={listTotal(draft, choices, codes)} versions={versions} />
  const buttons = <SaveButtons editor={editor} saving={saving} />

  return (
    <form ref={form} noValidate className="flex min-h-0 flex-1 max-xl:flex-col" onSubmit={(event) => event.preventDefault()}>
      <div className="relative flex min-h-0 min-w-0 flex-1 scroll-py-6 flex-col gap-6 overflow-y-auto px-4 py-5 md:px-6">
        <QuoteFields
          patient={patient}
          quote={quote}
          editor={editor}
          beginning={beginning}
          codes={codes}
          totals={totals}
          onPreview={() => void saving.preview()}
        />
        {!isWide && aside}
      </div>
      {isWide ? (
        <aside className="flex w-66 flex-none flex-col border-l border-line bg-subtle">
          <div className="min-h-0 flex-1 overflow-y-auto p-5">{aside}</div>
          <div className="flex flex-col gap-2 p-5 pt-3">{buttons}</div>
        </aside>
      ) : (
        <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
          <p className="flex items-baseline gap-2 max-md:w-full max-md:justify-between md:mr-auto">
            <span className="text-sm text-fg-2">Total</span>
            <span className="text-xl font-semibold tabular-nums">{formatMoney(totals.total)}</span>
          </p>
          {buttons}
        </footer>
      )}
      {saving.sending && (
        <ActionDialogs action="send" quote={saving.sending} onClose={saving.closeSendDialog} onDone={saving.leaveAfterSending} />
      )}
      {saving.guardDialog}
    </form>
  )
}

/** The draft's totals as the aside lists them, with the names of the taxes. */
function shownTotals(draft: QuoteDraft, totals: Totals, codes: readonly PosTaxCode[]) {
  const names = new Map(codes.map(({ Id, Name }) => [Id, Name]))
  return {
    subtotalCents: totals.subtotal,
    discountPercent: discountOf(draft.discount).discountPercent,
    discountCents: totals.discount,
    taxes: totals.taxes.map((tax) => ({ ...tax, name: names.get(tax.taxCodeId) ?? '' })),
    totalCents: totals.total,
  }
}

function SaveButtons({ editor, saving }: { editor: QuoteEditorState; saving: QuoteSaving }) {
  const { isBusy, conflict } = editor
  return (
    <>
      <Button
        variant="filled"
        size="lg"
        busy={isBusy}
        busyLabel="Saving…"
        disabled={conflict !== null}
        className="max-xl:flex-1"
        onClick={() => void saving.send()}
      >
        Send quote
      </Button>
      <Button size="lg" disabled={isBusy || conflict !== null} className="max-xl:flex-1" onClick={() => void saving.saveDraft()}>
        Save draft
      </Button>
    </>
  )
}
