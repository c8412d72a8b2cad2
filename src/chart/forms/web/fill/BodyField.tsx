import { ChevronDown, X } from 'lucide-react'
import { type MouseEvent, useId, useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import type { Language } from '../../../../shared/translations.ts'
import { answerLimits, bodyViews, type BodyView, gridSize, type Point } from '../../rules.ts'
import { regionAt, regions } from '../embed/regions.ts'
import { formTexts } from '../embed/texts.ts'
import { BodyOutline } from './BodyOutline.tsx'

interface BodyFieldProps {
  value: unknown
  onChange: (value: unknown) => void
  language: Language
}

const keyOf = ({ view, x, y }: Point): string => `${view} ${x} ${y}`
const pointsOf = (value: unknown): Point[] => (Array.isArray(value) ? (value as Point[]) : [])

/** Marks on an outline: a tap, or an area from the list for those who use no pointer. Each mark is named and can be removed. */
export function BodyField({ value, onChange, language }: BodyFieldProps) {
  const t = formTexts[language]
  const [view, setView] = useState<BodyView>('face')
  const selectId = useId()
  const points = pointsOf(value)
  function add(point: Point) {
    const isMarked = points.some((one) => keyOf(one) === keyOf(point))
    if (!isMarked && points.length < answerLimits.points) onChange([...points, point])
  }
  function addAt({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>) {
    const box = currentTarget.getBoundingClientRect()
    const scale = (at: number, size: number) => Math.round(Math.min(gridSize, Math.max(0, (gridSize * at) / size)))
    add({ view, x: scale(clientX - box.left, box.width), y: scale(clientY - box.top, box.height) })
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-title text-fg-2">{t('tapOutline')}</p>
      <div className="flex gap-2">
        {bodyViews.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => setView(one)}
            className={cn(
              'h-12 flex-1 rounded-lg border border-line-control bg-raised text-portal',
              one === view && 'border-accent bg-accent-soft font-semibold',
            )}
          >
            {t(`views.${one}`)}
          </button>
        ))}
      </div>
      <BodyOutline view={view} points={points.filter((point) => point.view === view)} label={t(`views.${view}`)} onClick={addAt} />
      <label htmlFor={selectId} className="text-title">
        {t('addArea')}
      </label>
      <div className="relative">
        <select
          id={selectId}
          value=""
          onChange={({ target }) => {
            const region = regions[view].find(({ name }) => name === target.value)
            if (region) add({ view, x: region.x, y: region.y })
          }}
          className="field-edge h-14 w-full appearance-none rounded-lg pr-12 pl-4 text-portal"
        >
          <option value="">{t('choose')}</option>
          {regions[view].map(({ name }) => (
            <option key={name} value={name}>
              {t(`regions.${name}`)}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-1/2 right-4 size-4.5! -translate-y-1/2 text-fg-2" />
      </div>
      {points.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {points.map((point) => {
            const name = `${t(`views.${point.view}`)}, ${t(`regions.${regionAt(point.view, point)}`)}`
            return (
              <li key={keyOf(point)} className="flex min-h-12 items-center gap-1 rounded-lg border border-line bg-subtle pl-3.5 text-title">
                {name}
                <button
                  type="button"
                  aria-label={t('remove', { name })}
                  onClick={() => onChange(points.filter((one) => one !== point))}
                  className="flex size-12 items-center justify-center rounded-lg text-fg-2 hover:text-fg"
                >
                  <X aria-hidden="true" className="size-4.5" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
