import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../web/api.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { Fact, Facts } from '../../../../web/ui/Facts.tsx'
import { lazyLayer } from '../../../../web/ui/lazy-layer.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { None } from '../../../../web/ui/Table.tsx'
import { useMay } from '../../../../web/useMay.ts'
import { weekdays } from '../words.ts'
import { hoursInWords } from './hours-words.ts'
import { useHours, useLivePractice } from './usePractice.ts'

const HoursDialog = lazyLayer(
  () => import('../HoursDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** When the practice is open: what appointments are booked within unless somebody means otherwise. */
export function HoursCard() {
  const hours = useHours()
  useLivePractice()
  const mayChange = useMay()('practice.setHours')
  const [isChanging, setChanging] = useState(false)
  return (
    <section aria-labelledby="practice-hours" className="max-w-(--measure)">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-3">
        <h2 id="practice-hours" className="text-lg font-semibold text-fg">
          Practice hours
        </h2>
        {mayChange && hours.data && (
          <Button icon={<Pencil />} onPointerEnter={HoursDialog.prepare} onClick={() => setChanging(true)}>
            Change hours
          </Button>
        )}
      </div>
      {hours.data ? (
        <>
          <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
            Appointments outside of them are asked about before they are booked.{!mayChange && ' Administrators change them.'}
          </p>
          <Facts className="pt-3">
            {weekdays.map((day, index) => {
              const words = hoursInWords(hours.data, index + 1)
              return (
                <Fact key={day} label={day}>
                  <span className="tabular-nums">{words === 'Closed' ? <None>Closed</None> : words}</span>
                </Fact>
              )
            })}
          </Facts>
        </>
      ) : hours.error ? (
        <ErrorState title="The practice hours did not load" onRetry={() => void hours.refetch()} retrying={hours.isFetching}>
          {messageOf(hours.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-56 flex-col gap-4 py-5">
          <Skeleton className="w-56" />
          <Skeleton className="w-64" />
          <Skeleton className="w-52" />
        </div>
      )}
      {isChanging && hours.data && <HoursDialog hours={hours.data} onClose={() => setChanging(false)} />}
    </section>
  )
}
