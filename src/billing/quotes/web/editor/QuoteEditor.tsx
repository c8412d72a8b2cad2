import { useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatMoney, today } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { useKey } from '../../../../ui/hooks/useKey.ts'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { quoteName } from '../../rules.ts'
import ActionDialogs from '../detail/ActionDialogs.tsx'
import type { ChoicesData, QuoteData, QuotePatient } from '../quote-data.ts'
import { DiscountRow } from './DiscountRow.tsx'
import { focusedName, rememberFocus, takeFocus } from './kept-focus.ts'
import { listTotal, newDraft, surgeryDayOf } from './price-list.ts'
import { QuoteAside } from './QuoteAside.tsx'
import { discountOf, draftOf, totalsOfDraft } from './quote-draft.ts'
import { QuoteHead } from './QuoteHead.tsx'
import { QuoteLines } from './QuoteLines.tsx'
import { QuoteNote } from './QuoteNote.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { useQuoteEditor } from './useQuoteEditor.ts'

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
  const navigate = useNavigate()
  // The initial options: price changes in the meantime don't change the open form.
  const [choices] = useState(loaded)
  const beginning = { choices, today: today(clock), timeZone: clock.timeZone, defaultCode }
  const [initial] = useState(() => (quote ? draftOf(quote, choices) : newDraft(beginning)))
  const editor = useQuoteEditor({ quote, contactId: patient.id, initial, codes, choices })
  const { draft, change, problems, isDirty, isBusy, tries, conflict } = editor
  const [sending, setSending] = useState<QuoteData | null>(null)
  const form = useProblemFocus({ tries, problems, showWhole: editor.showWhole })
  const isWide = useMedia('(width >= 80rem)')
  const guard = useUnsavedGuard(() => isDirty && !isBusy)

  const totals = totalsOfDraft(draft, codes)
  const names = new Map(codes.map(({ Id, Name }) => [Id, Name]))
  const shownTotals = {
    subtotalCents: totals.subtotal,
    discountPercent: discountOf(draft.discount).discountPercent,
    discountCents: totals.discount,
    taxes: totals.taxes.map((tax) => ({ ...tax, name: names.get(tax.taxCodeId) ?? '' })),
    totalCents: totals.total,
  }
  const surgeryDay = surgeryDayOf(
    choices.cases.find(({ id }) => id === draft.surgeryId),
    clock.timeZone,
  )
  const procedure = choices.procedures.find(({ id }) => id === draft.procedureId) ?? null

  // After the first save, a new quote continues at its own URL.
  const openSaved = (saved: QuoteData, focused: string | null = null) => {
    rememberFocus(focused)
    guard.leave(
      () => void navigate({ to: '/contacts/$id/quotes/$quoteId/edit', params: { id: patient.id, quoteId: saved.id }, replace: true }),
    )
  }
  const saved = async () => editor.stored() ?? editor.save()

  async function saveDraft() {
    const focused = focusedName(form.current)
    const after = await editor.save()
    if (!after) return
    toast.success(`${quoteName(after)} saved as a draft`)
    if (!quote) openSaved(after, focused)
  }
  async function send() {
    const after = await saved()
    if (after) setSending(after)
  }
  async function preview() {
    // Opened immediately: browsers block windows that are opened after a response.
    const tab = window.open('', '_blank')
    const focused = focusedName(form.current)
    const isUnsaved = !quote || isDirty
    const after = await saved()
    if (!after) return tab?.close()
    if (tab) tab.location.href = `/api/quotes/${after.id}.pdf`
    // The PDF shows the stored quote, so edits were saved first.
    if (isUnsaved) toast.success('Draft saved')
    if (!quote) openSaved(after, focused)
    return undefined
  }
  useKey('mod+enter', 'Send quote', () => void send())
  useKey('mod+s', 'Save draft', () => void saveDraft())

  // Initial focus: the procedure or title; after the first save, the previously focused element.
  useEffect(() => {
    const focused = takeFocus(form.current)
    if (!matchMedia('(pointer: coarse)').matches) (focused ?? form.current?.querySelector<HTMLElement>('[data-begins]'))?.focus()
  }, [form])

  const actions = (
    <>
      <Button
        variant="filled"
        size="lg"
        busy={isBusy}
        busyLabel="Saving…"
        disabled={conflict !== null}
        className="max-xl:flex-1"
        onClick={() => void send()}
      >
        Send quote
      </Button>
      <Button size="lg" disabled={isBusy || conflict !== null} className="max-xl:flex-1" onClick={() => void saveDraft()}>
        Save draft
      </Button>
    </>
  )
  const aside = <QuoteAside totals={shownTotals} listCents={listTotal(draft, choices, codes)} versions={versions} />

  return (
    <form ref={form} noValidate className="flex min-h-0 flex-1 max-xl:flex-col" onSubmit={(event) => event.preventDefault()}>
      <div className="relative flex min-h-0 min-w-0 flex-1 scroll-py-6 flex-col gap-6 overflow-y-auto px-4 py-5 md:px-6">
        <QuoteHead
          patient={patient}
          quote={quote}
          draft={draft}
          beginning={beginning}
          problems={problems}
          onChange={change}
          action={
            <Button icon={<Eye />} disabled={isBusy || conflict !== null} onClick={() => void preview()}>
              Preview PDF
            </Button>
          }
        >
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          {conflict && (
            <Alert
              tone="warning"
              title="Someone else has changed this quote."
              action={
                <span className="flex gap-2">
                  <Button size="sm" onClick={() => editor.settle('mine')}>
                    Keep what I typed
                  </Button>
                  <Button size="sm" onClick={() => editor.settle('theirs')}>
                    Show theirs
                  </Button>
                </span>
              }
            >
              Nothing was saved yet.
            </Alert>
          )}
        </QuoteHead>
        <QuoteLines
          lines={draft.lines}
          codes={codes}
          choices={choices}
          procedure={procedure}
          defaultCode={defaultCode}
          timeZone={clock.timeZone}
          totals={totals}
          problems={problems}
          onChange={(lines) => change({ ...draft, lines })}
          discount={
            draft.discount && (
              <DiscountRow
                discount={draft.discount}
                discountCents={totals.discount}
                problem={problems.discount}
                onChange={(discount) => change({ ...draft, discount })}
              />
            )
          }
          onDiscount={() => change({ ...draft, discount: { unit: 'percent', text: '' } })}
        />
        <ScheduleFields
          draft={draft}
          totalCents={totals.total}
          surgeryDay={surgeryDay}
          today={beginning.today}
          problems={problems}
          onChange={(schedule) => change({ ...draft, ...schedule })}
        />
        <QuoteNote note={draft.note} onChange={(note) => change({ ...draft, note })} />
        {!isWide && aside}
      </div>
      {isWide ? (
        <aside className="flex w-66 flex-none flex-col border-l border-line bg-subtle">
          <div className="min-h-0 flex-1 overflow-y-auto p-5">{aside}</div>
          <div className="flex flex-col gap-2 p-5 pt-3">{actions}</div>
        </aside>
      ) : (
        <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
          <p className="flex items-baseline gap-2 max-md:w-full max-md:justify-between md:mr-auto">
            <span className="text-sm text-fg-2">Total</span>
            <span className="text-xl font-semibold tabular-nums">{formatMoney(totals.total)}</span>
          </p>
          {actions}
        </footer>
      )}
      {sending && (
        <ActionDialogs
          action="send"
          quote={sending}
          onClose={() => {
            setSending(null)
            if (!quote) openSaved(sending)
          }}
          onDone={() => guard.leave(() => void navigate({ to: '/contacts/$id', params: { id: patient.id }, search: { tab: 'account' } }))}
        />
      )}
      {guard.dialog}
    </form>
  )
}
