import { Camera, Check } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { formatDay } from '../../../ui/format.ts'
import { missingViews, type PhotoView, shotLists, views } from '../rules.ts'
import { type StartedSeriesData, titleOf } from './photo-data.ts'

interface StartedSeriesListProps {
  series: readonly StartedSeriesData[]
  onTake: (seriesId: string, view: PhotoView | null) => void
}

/** For those who take photos and see none: the views that were taken and those that are missing. */
export function StartedSeriesList({ series, onTake }: StartedSeriesListProps) {
  return (
    <>
      <p className="pt-4 text-sm text-fg-2">You can take photos. Providers see them.</p>
      <ul aria-label="Series of photos">
        {series.map((one) => {
          const missing = missingViews(
            one.shotList,
            one.takenViews.map((view) => ({ view })),
          )
          return (
            <li key={one.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-4 last:border-b-0">
              <div className="min-w-0 flex-1 basis-64">
                <h3 className="text-title font-semibold">{titleOf(one)}</h3>
                <p className="text-sm text-fg-3">{`${shotLists[one.shotList].name} · ${formatDay(one.takenOn)}`}</p>
                <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-2 text-sm text-fg-2">
                  {one.takenViews.map((view) => (
                    <li key={view} className="flex items-center gap-1">
                      <Check aria-hidden="true" className="text-success-fg" />
                      {views[view]}
                    </li>
                  ))}
                  {missing.map((view) => (
                    <li key={view} className="text-fg-3">{`${views[view]} not taken`}</li>
                  ))}
                </ul>
              </div>
              <Button icon={<Camera />} aria-label={`Take photos for ${titleOf(one)}`} onClick={() => onTake(one.id, missing[0] ?? null)}>
                Take photos
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
