import { type PointerEvent, useEffect, useRef } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { PortalButton } from '../../../../ui/patient/parts.tsx'
import type { Language } from '../../../../shared/translations.ts'
import { answerLimits, gridSize, type Signature } from '../../rules.ts'
import { formTexts } from './texts.ts'
import { pathOf } from './stroke-path.ts'

interface SignatureFieldProps {
  value: unknown
  onChange: (value: unknown) => void
  language: Language
  isInvalid: boolean
}

/** Moves shorter than this are left out, in thousandths of the pad. */
const step = 6
const signatureOf = (value: unknown): Signature =>
  typeof value === 'object' && value !== null && 'kind' in value ? (value as Signature) : { kind: 'drawn', strokes: [] }

/** Drawn with a finger, pen or mouse, or typed for those who cannot draw. */
export function SignatureField({ value, onChange, language, isInvalid }: SignatureFieldProps) {
  const t = formTexts[language]
  const signature = signatureOf(value)
  const stroke = useRef<number[] | null>(null)
  const strokes = signature.kind === 'drawn' ? signature.strokes : []
  const box = useRef<HTMLDivElement>(null)
  const hasReplaced = useRef(false)
  useEffect(() => {
    // The button that had the focus no longer exists.
    if (hasReplaced.current) box.current?.querySelector<HTMLElement>('input, button')?.focus()
    hasReplaced.current = false
  }, [value])
  function replace(by: unknown) {
    hasReplaced.current = true
    onChange(by)
  }

  function pointOf({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): [number, number] {
    const box = currentTarget.getBoundingClientRect()
    const scale = (at: number, size: number) => Math.round(Math.min(gridSize, Math.max(0, (gridSize * at) / size)))
    return [scale(clientX - box.left, box.width), scale(clientY - box.top, box.height)]
  }
  function begin(event: PointerEvent<SVGSVGElement>) {
    const used = strokes.reduce((sum, one) => sum + one.length, 0)
    if (strokes.length >= answerLimits.strokes || used >= answerLimits.strokeNumbers - 100) return
    event.currentTarget.setPointerCapture(event.pointerId)
    stroke.current = pointOf(event)
    onChange({ kind: 'drawn', strokes: [...strokes, stroke.current] })
  }
  function move(event: PointerEvent<SVGSVGElement>) {
    if (!stroke.current) return
    const [x, y] = pointOf(event)
    const [lastX, lastY] = stroke.current.slice(-2) as [number, number]
    if (Math.hypot(x - lastX, y - lastY) < step) return
    const total = strokes.slice(0, -1).reduce((sum, one) => sum + one.length, 0) + stroke.current.length
    if (total >= answerLimits.strokeNumbers - 2) return
    stroke.current = [...stroke.current, x, y]
    onChange({ kind: 'drawn', strokes: [...strokes.slice(0, -1), stroke.current] })
  }
  const end = () => {
    stroke.current = null
  }

  if (signature.kind === 'typed') {
    return (
      <div ref={box} className="flex flex-col gap-3">
        <input
          type="text"
          autoComplete="name"
          maxLength={answerLimits.name}
          aria-label={t('fullName')}
          aria-invalid={isInvalid || undefined}
          value={signature.name}
          onChange={({ target }) => onChange({ kind: 'typed', name: target.value })}
          className="field-edge h-14 w-full min-w-0 rounded-lg px-4 text-portal italic"
        />
        <PortalButton className="w-fit" onClick={() => replace(undefined)}>
          {t('drawn')}
        </PortalButton>
      </div>
    )
  }
  return (
    <div ref={box} className="flex flex-col gap-3">
      <div className="relative">
        <svg
          role="img"
          aria-label={strokes.length > 0 ? t('isSigned') : t('drawHere')}
          viewBox={`0 0 ${gridSize} ${gridSize}`}
          preserveAspectRatio="none"
          onPointerDown={begin}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
          className={cn(
            'block h-40 w-full touch-none rounded-lg border bg-raised text-fg',
            isInvalid ? 'border-danger' : 'border-line-control',
          )}
        >
          <path
            d={strokes.map(pathOf).join('')}
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {strokes.length === 0 && (
          <p aria-hidden="true" className="pointer-events-none absolute inset-0 flex items-center justify-center text-title text-fg-3">
            {t('drawHere')}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {strokes.length > 0 && <PortalButton onClick={() => replace(undefined)}>{t('clear')}</PortalButton>}
        <PortalButton onClick={() => replace({ kind: 'typed', name: '' })}>{t('typed')}</PortalButton>
      </div>
    </div>
  )
}
