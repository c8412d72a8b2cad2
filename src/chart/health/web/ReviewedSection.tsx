import { Check, Plus } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { useClock } from '../../../ui/client/session.ts'
import { formatDateTime, formatShortDate } from '../../../ui/format.ts'
import { type Section, sectionKinds } from '../rules.ts'
import { ChartSection } from './embed/ChartSection.tsx'
import { useEditing, useReturnedFocus } from './editing.ts'
import { EntryList } from './EntryList.tsx'
import type { HealthData } from './health-data.ts'
import { formatReviewed, partsOf, sectionWords } from './labels.ts'
import { useReviewer } from './useReviewer.ts'
import type { HealthActions } from './useHealth.ts'

interface ReviewedSectionProps {
  contactId: string
  section: Section
  health: HealthData
  nextSurgeryOn: string | null
  actions: HealthActions
}

/** Allergies, medications or history: the entries, and who last confirmed them. */
export function ReviewedSection({ contactId, section, health, nextSurgeryOn, actions }: ReviewedSectionProps) {
  const clock = useClock()
  const { edit, isOpen } = useEditing()
  const nameOf = useReviewer()
  const words = sectionWords[section]
  const kinds = sectionKinds[section]
  const added = { add: kinds[0] }
  const addButton = useReturnedFocus(isOpen(added))
  const { shown, past } = partsOf(section, health.entries)
  const negatives = section === 'history' ? health.negatives : []
  const review = health.reviews.find((one) => one.section === section)
  const count = words.active ? `${shown.length} ${words.active}` : String(shown.length)
  const reviewed = review && `reviewed ${formatShortDate(review.reviewedAt, clock)}`
  return (
    <ChartSection
      title={words.title}
      summary={[shown.length > 0 && count, reviewed].filter(Boolean).join(' · ')}
      summaryTitle={
        review && formatReviewed({ source: review.source, by: nameOf(review.reviewedBy), on: formatDateTime(review.reviewedAt, clock) })
      }
      isFirst={section === 'allergies'}
      actions={
        <>
          <Button
            size="sm"
            variant={shown.length === 0 ? 'outlined' : 'quiet'}
            icon={<Check />}
            className={shown.length === 0 ? 'mr-1.5' : undefined}
            onClick={() => void actions.review(section)}
          >
            {shown.length === 0 ? words.confirmEmpty : 'Reviewed, no change'}
          </Button>
          <Button ref={addButton} size="sm" variant="quiet" icon={<Plus />} className="text-fg" onClick={() => edit(added)}>
            {words.add}
          </Button>
        </>
      }
    >
      <EntryList
        label={words.title}
        contactId={contactId}
        shown={shown}
        past={past}
        kinds={kinds}
        nextSurgeryOn={nextSurgeryOn}
        actions={actions}
        empty={
          negatives.length > 0
            ? null
            : review
              ? review.activeEntries === 0
                ? words.empty
                : 'Nothing listed. Not reviewed since the last change.'
              : 'Not asked yet'
        }
      />
      {negatives.length > 0 && (
        <ul aria-label="Reported as none" className={cn('py-1.5', shown.length > 0 && 'border-t border-line')}>
          {negatives.map(({ topic, statement, source, reviewedBy, reviewedAt }) => (
            <li key={topic} className="py-1 text-sm md:grid md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.6fr)_11rem_5.5rem] md:gap-x-3">
              <span className="block text-fg">{statement}</span>
              <span className="block text-fg-3 md:col-span-3">
                {formatReviewed({ source, by: nameOf(reviewedBy), on: formatShortDate(reviewedAt, clock) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </ChartSection>
  )
}
