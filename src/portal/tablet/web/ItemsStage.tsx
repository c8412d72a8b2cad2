import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import type { ItemData, Tablet } from './tablet-calls.ts'
import { tabletTexts } from './texts.ts'

interface ItemsStageProps {
  tablet: Tablet
  /** The last one that was chosen could not be opened. */
  hasFailed: boolean
  isBusy: boolean
  onStart: (item: ItemData) => void
  onDone: () => void
}

/** What the patient does on this tablet; the first thing to do has the filled button. */
export function ItemsStage({ tablet, hasFailed, isBusy, onStart, onDone }: ItemsStageProps) {
  const language = useLanguage()
  const t = tabletTexts[language]
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const next = tablet.items.find(({ state }) => state === 'open')
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {next ? t('hello', { name: tablet.firstName }) : t('allDoneTitle')}
      </h1>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{next ? t('itemsIntro') : t('allDone')}</p>
      {hasFailed && <ErrorLine className="pt-4">{t('unexpected')}</ErrorLine>}
      <Card className="mt-6 py-1 md:py-2">
        <ul aria-label={t('items')} className="divide-y divide-line">
          {tablet.items.map((item) => (
            <li key={item.id} className="flex min-h-20 flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <div className="min-w-0 flex-1 basis-36">
                <p className="text-portal font-semibold">{item.title[language]}</p>
                <p className="text-title text-fg-2">{t(item.kind === 'form' ? 'form' : 'consent')}</p>
              </div>
              {item.state === 'open' ? (
                <PortalButton
                  variant={item === next ? 'filled' : 'outlined'}
                  disabled={isBusy}
                  aria-label={t(item.kind === 'form' ? 'startNamed' : 'readNamed', { title: item.title[language] })}
                  onClick={() => onStart(item)}
                >
                  {t(item.kind === 'form' ? 'start' : 'read')}
                </PortalButton>
              ) : (
                <span className="flex items-center gap-2 text-portal text-fg-2">
                  {item.state === 'done' && <CircleCheck aria-hidden="true" className="size-5! text-success-fg" />}
                  {item.state === 'done' ? t('done') : t('closed')}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <PortalButton className="mt-6 max-md:w-full" variant={next ? 'outlined' : 'filled'} onClick={onDone}>
        {t('handBack')}
      </PortalButton>
    </>
  )
}
