import { type ReactNode, useId, useRef, useState } from 'react'
import { textToCents } from '../../../../shared/money.ts'
import { formatCents, formatMediumDay } from '../../../../shared/translations.ts'
import { useClock, usePractice } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { today } from '../../../../ui/format.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { ErrorLine, PortalButton, PortalField, sectionTitle } from '../../../../ui/patient/parts.tsx'
import type { PayLinkView } from '../../contract.ts'
import { cardLimits } from '../../rules.ts'
import { cardTexts } from '../../texts.ts'
import { payTexts } from './texts.ts'

interface AmountStepProps {
  view: PayLinkView
  isBusy: boolean
  problem: string | null
  onContinue: (choice: { amountCents: number; savesCard: boolean; isAutomatic: boolean }) => void
}

type Option = 'due' | 'all' | 'other'

/** What is owed, how much of it to pay, and whether the card is kept. */
export function AmountStep({ view, isBusy, problem, onContinue }: AmountStepProps) {
  const { dueCents, openCents, nextDueOn, last, lines, hasInstalments, isAutomatic: isOn } = view
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = payTexts[language]
  const options: readonly Option[] = [...(dueCents > 0 && dueCents < openCents ? (['due'] as const) : []), 'all', 'other']
  const [chosen, setChosen] = useState<Option>(options[0]!)
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const [savesCard, setSaves] = useState(false)
  const [agrees, setAgrees] = useState(false)
  const [group, box, automaticBox, heading] = [useId(), useId(), useId(), useId()]
  const field = useRef<HTMLDivElement>(null)
  const canAgree = savesCard && hasInstalments && !isOn && chosen === 'due'
  const money = (cents: number) => formatCents(cents, language)
  const otherCents = centsTyped(typed)
  const isOtherValid = otherCents !== null && otherCents >= cardLimits.minCents && otherCents <= openCents
  const labels = {
    due: nextDueOn === null ? t('due') : t('next', { day: formatMediumDay(nextDueOn, language) }),
    all: t('all'),
    other: t('other'),
  }
  const centsOf = { due: dueCents, all: openCents, other: otherCents ?? 0 }
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === 'other' && !isOtherValid) {
          setRefused(true)
          return field.current?.querySelector('input')?.focus()
        }
        onContinue({ amountCents: centsOf[chosen], savesCard, isAutomatic: canAgree && agrees })
      }}
    >
      {last?.status === 'paid' && <p>{t('received', { amount: money(last.amountCents) })}</p>}
      <section aria-labelledby={heading}>
        <h2 id={heading} className={sectionTitle}>
          {t('owed')}
        </h2>
        {nextDueOn !== null && <p className="pt-1 text-fg-2">{t('nothingNow')}</p>}
        <ul className="divide-y divide-line pt-2">
          {lines.map((line) => (
            <Line key={`${line.quoteNumber} ${line.description} ${line.dueOn} ${line.openCents}`} line={line} />
          ))}
        </ul>
        {lines.length > 1 && (
          <p className="flex justify-between gap-4 border-t border-line-2 pt-3 font-semibold">
            <span>{t('total')}</span>
            <span className="tabular-nums">{money(openCents)}</span>
          </p>
        )}
      </section>
      <fieldset>
        <legend className={cn(sectionTitle, 'pb-3')}>{t('howMuch')}</legend>
        <div className="divide-y divide-line overflow-hidden rounded-lg border border-line-control">
          {options.map((option) => (
            <Choice key={option} group={group} isChosen={option === chosen} label={labels[option]} onChoose={() => setChosen(option)}>
              {option !== 'other' && <span className="font-semibold tabular-nums">{money(centsOf[option])}</span>}
            </Choice>
          ))}
        </div>
        {chosen === 'other' && (
          <div ref={field} className="pt-4">
            <PortalField
              label={t('otherAmount')}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              error={isRefused && !isOtherValid ? t('otherRange', { min: money(cardLimits.minCents), max: money(openCents) }) : null}
              className="tabular-nums"
            />
          </div>
        )}
      </fieldset>
      <div className="flex gap-3">
        <Checkbox id={box} large checked={savesCard} onCheckedChange={setSaves} className="mt-0.5" />
        <label htmlFor={box} className="text-portal">
          {t('save')}
          {savesCard && (
            <span className="block pt-1 text-title leading-relaxed text-fg-2">{cardTexts[language]('consent', { practice })}</span>
          )}
        </label>
      </div>
      {canAgree && (
        <div className="flex gap-3">
          <Checkbox id={automaticBox} large checked={agrees} onCheckedChange={setAgrees} className="mt-0.5" />
          <label htmlFor={automaticBox} className="text-portal">
            {t('automatic')}
            {agrees && (
              <span className="block pt-1 text-title leading-relaxed text-fg-2">{cardTexts[language]('automatic', { practice })}</span>
            )}
          </label>
        </div>
      )}
      {problem && <ErrorLine>{problem}</ErrorLine>}
      <PortalButton type="submit" variant="filled" busy={isBusy} busyLabel={t('starting')} className="w-full">
        {t('continue')}
      </PortalButton>
    </form>
  )
}

/** The cents of an amount as it is typed in English or French: '$1,250.50', '1 250,50 $'. Null: it is none. */
const centsTyped = (text: string): number | null =>
  textToCents(
    text
      .replace(/[\s\u00a0\u202f]*\$\s*$/, '')
      .replaceAll('\u202f', ' ')
      .replace(/,(\d{1,2})$/, '.$1'),
  ) ?? null

/** A charge, or an instalment of one, with the day on which it is due. */
function Line({ line: { quoteNumber, isFee, description, instalment, dueOn, openCents } }: { line: PayLinkView['lines'][number] }) {
  const clock = useClock()
  const language = useLanguage()
  const t = payTexts[language]
  const now = today(clock)
  const day = formatMediumDay(dueOn, language)
  return (
    <li className="flex justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {quoteNumber === null ? (description ?? t(isFee ? 'fee' : 'charge')) : t('quoteLine', { number: quoteNumber })}
        </p>
        <p className="text-title leading-relaxed text-fg-2">
          {instalment && (
            <>
              <span className="max-md:block">{t('instalment', instalment)}</span>
              <span className="max-md:hidden"> · </span>
            </>
          )}
          {dueOn < now ? (
            <span className="font-medium text-danger-fg">{t('overdue', { day })}</span>
          ) : (
            t(dueOn === now ? 'dueToday' : 'next', { day })
          )}
        </p>
      </div>
      <span className="flex-none tabular-nums">{formatCents(openCents, language)}</span>
    </li>
  )
}

interface ChoiceProps {
  group: string
  isChosen: boolean
  label: string
  onChoose: () => void
  children: ReactNode
}

function Choice({ group, isChosen, label, onChoose, children }: ChoiceProps) {
  return (
    <label className={cn('flex min-h-14 items-center gap-3 px-4 text-portal', isChosen && 'bg-selected')}>
      <input
        type="radio"
        name={group}
        checked={isChosen}
        onChange={onChoose}
        className="size-5 flex-none appearance-none rounded-full border border-line-control bg-raised checked:border-6 checked:border-accent"
      />
      <span className="flex-1">{label}</span>
      {children}
    </label>
  )
}
