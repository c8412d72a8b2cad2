import { Printer } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { blocksOf } from '../../../crm/procedures/rules.ts'
import { formatClockTime, formatFullDay, inLanguage } from '../../../shared/translations.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, PortalSkeleton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import type { OwnInstructions } from '../../home-contract.ts'
import { codeOf, isSessionOver, type PatientSession } from '../calls.ts'
import { fetchInstructions, type InstructionsData } from '../home/home-calls.ts'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { instructionsTexts } from './texts.ts'

type Written = OwnInstructions['procedures'][number]['aftercare']

interface InstructionsViewProps {
  session: PatientSession
  surgeryId: string
  callTracked: TrackedCall
}

/** What the practice tells a patient to do before and after a surgery, to read on a phone or to print. */
export default function InstructionsView({ session, surgeryId, callTracked }: InstructionsViewProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = instructionsTexts[language]
  const [shown, setShown] = useState<InstructionsData | 'none' | 'failed' | null>(null)

  async function load() {
    setShown(null)
    try {
      setShown(await callTracked(() => fetchInstructions(session, surgeryId)))
    } catch (error) {
      if (!isSessionOver(error)) setShown(codeOf(error) === 'NOT_FOUND' ? 'none' : 'failed')
    }
  }
  const loadFirst = useEffectEvent(() => void load())
  useEffect(() => loadFirst(), [])

  if (shown === null)
    return (
      <Card>
        <PortalSkeleton rows={5} />
      </Card>
    )
  if (shown === 'failed' || shown === 'none')
    return (
      <>
        <Title>{t('title')}</Title>
        {shown === 'none' ? (
          <p role="status" className="max-w-[60ch] pt-3 text-portal">
            {t('none')}
          </p>
        ) : (
          <Card className="mt-6 flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={() => void load()}>{frameTexts[language]('tryAgain')}</PortalButton>
          </Card>
        )}
      </>
    )
  const { startsAt, isAhead, isTentative, procedures } = shown
  const day = formatFullDay(startsAt, language, timeZone)
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <Title>{isAhead ? t('aheadTitle') : t('afterTitle')}</Title>
          <p className="pt-1.5 text-portal text-fg-2">
            {!isAhead
              ? t('afterOn', { day })
              : isTentative
                ? t('plannedOn', { day })
                : t('aheadOn', { day, time: formatClockTime(startsAt, language, timeZone) })}
          </p>
        </div>
        <PortalButton icon={<Printer />} className="print:hidden" onClick={() => print()}>
          {t('print')}
        </PortalButton>
      </div>
      <p className="max-w-[66ch] pt-4 text-title leading-relaxed text-fg-2">{t('ask')}</p>
      <div className="flex flex-col gap-5 pt-6">
        {procedures.map(({ name, nameFr, preparation, aftercare }) => {
          const title = inLanguage(language, name, nameFr)
          return (
            <Card key={name} aria-label={title} className="print:break-inside-auto">
              <h2 className={sectionTitle}>{title}</h2>
              <Part title={t('preparation')} written={preparation} />
              <Part title={isAhead ? t('aftercare') : null} written={aftercare} />
            </Card>
          )
        })}
      </div>
    </>
  )
}

function Title({ children }: { children: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(title)
  return (
    <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
      {children}
    </h1>
  )
}

/** A text in the patient's language, or in the other one if the practice has written it in that one only. Without a title, the page's says it. */
function Part({ title, written }: { title: string | null; written: Written }) {
  const language = useLanguage()
  const other = language === 'en' ? 'fr' : 'en'
  const text = written?.[language] ?? written?.[other]
  if (!text) return null
  const isTranslated = Boolean(written?.[language])
  return (
    <div className="mt-4 border-t border-line pt-5 text-portal leading-relaxed">
      {title !== null && <h3 className="text-[1.125rem] font-semibold">{title}</h3>}
      {!isTranslated && <p className="text-title text-fg-2">{instructionsTexts[language]('inOther')}</p>}
      <div lang={isTranslated ? undefined : other} className={cn('flex max-w-[66ch] flex-col gap-3', title !== null && 'pt-3')}>
        {blocksOf(text).map((block, index, blocks) =>
          block.kind === 'list' ? (
            <ul key={block.line} className="flex list-disc flex-col gap-1.5 pl-5 marker:text-fg-3">
              {block.items.map(({ line, text: item }) => (
                <li key={line}>{item}</li>
              ))}
            </ul>
          ) : (
            <p
              key={block.line}
              // A line above a list is its title.
              className={cn('whitespace-pre-line', blocks[index + 1]?.kind === 'list' && 'pt-2 font-semibold first:pt-0')}
            >
              {block.text}
            </p>
          ),
        )}
      </div>
    </div>
  )
}
