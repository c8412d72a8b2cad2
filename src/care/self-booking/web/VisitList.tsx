import { ChevronRight } from 'lucide-react'
import { inLanguage } from '../../../shared/translations.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import type { Visit } from './calls.ts'
import { bookingTexts } from './texts.ts'
import { depositOf, InLine, priceOf } from './visit-facts.tsx'

/** What can be booked, with how long it takes and what it costs. */
export function VisitList({ visits, onChoose }: { visits: readonly Visit[]; onChoose: (visit: Visit) => void }) {
  const language = useLanguage()
  const t = bookingTexts[language]
  if (visits.length === 0) return <p>{t('noVisits')}</p>
  return (
    <ul className="flex flex-col gap-3">
      {visits.map((visit) => (
        <li key={visit.id}>
          <button
            type="button"
            className="flex w-full items-center gap-4 rounded-lg border border-line-control bg-raised px-4 py-3.5 text-left hover:bg-hover"
            onClick={() => onChoose(visit)}
          >
            <span className="min-w-0 flex-1">
              <span className="block font-semibold wrap-anywhere">{inLanguage(language, visit.name, visit.nameFr)}</span>
              {visit.patients !== 'all' && (
                <span className="block text-title text-fg-2">{t(visit.patients === 'new' ? 'onlyNew' : 'onlyKnown')}</span>
              )}
              <span className="block text-title whitespace-pre-line text-fg-2 wrap-anywhere">
                {inLanguage(language, visit.description ?? '', visit.descriptionFr)}
              </span>
              <span className="block pt-1 text-title tabular-nums">
                <InLine parts={[t('minutes', { minutes: visit.minutes }), priceOf(visit, language), depositOf(visit, language)]} />
              </span>
            </span>
            <ChevronRight aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}
