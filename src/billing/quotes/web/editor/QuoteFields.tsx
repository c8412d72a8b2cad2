import { Eye } from 'lucide-react'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConflictNotice } from '../../../../ui/forms/ConflictNotice.tsx'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { Totals } from '../../../pos/rules.ts'
import type { QuoteData, QuotePatient } from '../quote-data.ts'
import { DiscountRow } from './DiscountRow.tsx'
import { type Beginning, surgeryDayOf } from './price-list.ts'
import { QuoteHead } from './QuoteHead.tsx'
import { QuoteLines } from './QuoteLines.tsx'
import { QuoteNote } from './QuoteNote.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import type { QuoteEditorState } from './useQuoteEditor.ts'

interface QuoteFieldsProps {
  patient: QuotePatient
  /** Null: a new one. */
  quote: QuoteData | null
  editor: QuoteEditorState
  beginning: Beginning
  codes: readonly PosTaxCode[]
  totals: Totals
  onPreview: () => void
}

/** All fields of a quote: header, lines, payment schedule and note. */
export function QuoteFields({ patient, quote, editor, beginning, codes, totals, onPreview }: QuoteFieldsProps) {
  const { draft, change, problems, isBusy, conflict } = editor
  const { choices, today, timeZone } = beginning
  const surgeryDay = surgeryDayOf(
    choices.cases.find(({ id }) => id === draft.surgeryId),
    timeZone,
  )
  return (
    <>
      <QuoteHead
        patient={patient}
        quote={quote}
        draft={draft}
        beginning={beginning}
        problems={problems}
        onChange={change}
        action={
          <Button icon={<Eye />} disabled={isBusy || conflict !== null} onClick={onPreview}>
            Preview PDF
          </Button>
        }
      >
        {problems.form && <Alert tone="danger">{problems.form}</Alert>}
        {conflict && <ConflictNotice title="Someone else has changed this quote." onResolve={editor.resolveConflict} />}
      </QuoteHead>
      <QuoteLines
        editor={editor}
        beginning={beginning}
        codes={codes}
        totals={totals}
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
        today={today}
        problems={problems}
        onChange={(schedule) => change({ ...draft, ...schedule })}
      />
      <QuoteNote note={draft.note} onChange={(note) => change({ ...draft, note })} />
    </>
  )
}
