import { ShieldAlert } from 'lucide-react'
import { useId } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { formatDay, today } from '../../../../ui/format.ts'
import type { SeriesData, ShownPhoto } from '../../../photos/web/photo-data.ts'
import { type ConsentGap, consentFor, purposeNames, purposes, treatedDayOf } from '../../rules.ts'
import type { PhotoConsentData } from '../use-data.ts'

interface PairUsesProps {
  pair: readonly ShownPhoto[]
  /** All of the patient: when the treatment was over. */
  series: readonly SeriesData[]
  consents: readonly PhotoConsentData[]
  /** Opens the consents, where one can be recorded. Null: the role may not. */
  onRecord: (() => void) | null
}

const gapLabels: Record<ConsentGap, string> = {
  none: 'No consent',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  other_photos: 'Other photos only',
  before_treatment: 'Given before treatment',
}

/** What both photos of a comparison may be used for, by the patient's consents. */
export function PairUses({ pair, series, consents, onRecord }: PairUsesProps) {
  const heading = useId()
  const day = today(useClock())
  const dated = series.map((one) => ({ ...one, hasPhotos: one.photos.length > 0 }))
  const rows = purposeNames.map((purpose) => {
    const each = pair.map(({ photo, title }) => {
      const own = dated.find(({ id }) => id === photo.seriesId)
      return { title, found: consentFor(consents, { id: photo.id, treatedOn: own ? treatedDayOf(own, dated) : null }, purpose, day) }
    })
    return { purpose, ...describe(each) }
  })
  const half = rows.filter(({ missing }) => missing !== null)
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3">
      <h3 id={heading} className="text-sm font-semibold">
        May be used for
      </h3>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2.5 text-sm">
        {rows.map(({ purpose, tone, label }) => (
          <div key={purpose} className="contents">
            <dt className="text-fg-2">{purposes[purpose]}</dt>
            <dd className="justify-self-start">
              <Badge tone={tone}>{label}</Badge>
            </dd>
          </div>
        ))}
      </dl>
      {half.length > 0 && (
        <p className="flex gap-2 border-t border-line pt-3 text-sm text-warning-fg">
          <ShieldAlert aria-hidden="true" className="mt-0.5 size-4 flex-none" />
          <span>{half.map(({ purpose, missing }) => `${purposes[purpose]}: no consent for the photo ${missing}.`).join(' ')}</span>
        </p>
      )}
      {onRecord && (
        <Button className="self-start" onClick={onRecord}>
          Consent and use
        </Button>
      )}
    </section>
  )
}

type Found = ReturnType<typeof consentFor<PhotoConsentData>>

/** `missing`: the photo without a consent, where the other one has it. */
function describe(each: readonly { title: string; found: Found }[]): { tone: BadgeTone; label: string; missing: string | null } {
  const allowed = each.flatMap(({ title, found }) => ('gap' in found ? [] : [{ title, expiresOn: found.expiresOn }]))
  const [gap] = each.flatMap(({ title, found }) => ('gap' in found ? [{ title, gap: found.gap }] : []))
  if (!gap) {
    const [last] = allowed.flatMap(({ expiresOn }) => expiresOn ?? []).toSorted()
    return { tone: 'success', label: last ? `Until ${formatDay(last)}` : 'Yes', missing: null }
  }
  const [only] = allowed
  if (only) return { tone: 'warning', label: `${only.title} only`, missing: gap.title }
  return { tone: 'neutral', label: gapLabels[gap.gap], missing: null }
}
