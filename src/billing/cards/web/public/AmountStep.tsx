import { useId, useState } from 'react'
import { formatCents, formatMediumDay } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import type { PayLinkView } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { payTexts } from './texts.ts'

interface AmountStepProps {
  view: PayLinkView
  isBusy: boolean
  problem: string | null
  onContinue: (choice: { amountCents: number; savesCard: boolean; isAutomatic: boolean }) => void
}

/** What to pay, where there is a choice, and whether the card is kept. */
export function AmountStep({
  view: { dueCents, openCents, nextDueOn, last, hasInstalments, isAutomatic: isOn },
  isBusy,
  problem,
  onContinue,
}: AmountStepProps) {
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = payTexts[language]
  const options = dueCents > 0 && dueCents < openCents ? (['due', 'all'] as const) : (['all'] as const)
  const [chosen, setChosen] = useState<'due' | 'all'>(options[0])
  const [savesCard, setSaves] = useState(false)
  const [agrees, setAgrees] = useState(false)
  const [group, box, automaticBox] = [useId(), useId(), useId()]
  const canAgree = savesCard && hasInstalments && !isOn && chosen === 'due'
  const centsOf = { due: dueCents, all: openCents }
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onContinue({ amountCents: centsOf[chosen], savesCard, isAutomatic: canAgree && agrees })
      }}
    >
      {last?.status === 'paid' && <p>{t('received', { amount: formatCents(last.amountCents, language) })}</p>}
      {nextDueOn !== null && <p>{t('nothingNow')}</p>}
      {options.length > 1 ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-2 text-portal font-semibold">{t('amount')}</legend>
          {options.map((option) => (
            <label
              key={option}
              className={cn(
                'flex min-h-14 items-center gap-3 rounded-lg border px-4 text-portal',
                option === chosen ? 'border-accent bg-selected' : 'border-line-control',
              )}
            >
              <input
                type="radio"
                name={group}
                checked={option === chosen}
                onChange={() => setChosen(option)}
                className="size-5 flex-none appearance-none rounded-full border border-line-control bg-raised checked:border-6 checked:border-accent"
              />
              <span className="flex-1">
                {option === 'due' && nextDueOn !== null ? t('next', { day: formatMediumDay(nextDueOn, language) }) : t(option)}
              </span>
              <span className="font-semibold tabular-nums">{formatCents(centsOf[option], language)}</span>
            </label>
          ))}
        </fieldset>
      ) : (
        <p className="flex items-baseline justify-between gap-4 text-portal">
          <span>{t('amount')}</span>
          <span className="text-2xl font-semibold tabular-nums">{formatCents(openCents, language)}</span>
        </p>
      )}
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
      <PortalButton type="submit" variant="filled" busy={isBusy} busyLabel={t('starting')}>
        {t('continue')}
      </PortalButton>
    </form>
  )
}
