import { type ReactNode, useEffect } from 'react'
import { DemoBanner } from '../layout/DemoBanner.tsx'
import { Mark } from '../layout/Mark.tsx'
import { usePractice } from '../client/session.ts'
import { inLanguage } from '../../shared/translations.ts'
import { cn } from '../cn.ts'
import { useLanguage } from './language.ts'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { PortalButton } from './parts.tsx'
import { frameTexts } from './texts.ts'

interface PortalFrameProps {
  /** Title of the browser tab. */
  title: string
  /** Given once signed in. */
  onSignOut?: () => void
  /** Announced to screen readers on change. */
  announcement: string
  /** Narrow for the sign-in steps. */
  narrow?: boolean
  /** Wide for two columns. */
  wide?: boolean
  /** Before the choice of language. */
  actions?: ReactNode
  children: ReactNode
}

const columnOf = (wide: boolean) => cn('mx-auto w-full px-4 md:px-6', wide ? 'max-w-300' : 'max-w-200')

/** The clinic's name and the choice of language, always visible, above one column, with contact details below. */
export function PortalFrame({ title, onSignOut, announcement, narrow = false, wide = false, actions, children }: PortalFrameProps) {
  const language = useLanguage()
  const t = frameTexts[language]
  const column = columnOf(wide)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const { name, phone, demo, ...practice } = usePractice()
  const subtitle = inLanguage(language, practice.subtitle, practice.subtitleFr)
  // No line begins with 'p.m.'.
  const hours = inLanguage(language, practice.hours, practice.hoursFr).replace(/ (?=[ap]\.m\.)/g, '\u00a0')
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <div className="flex min-h-dvh flex-col bg-canvas text-portal">
      {demo && <DemoBanner text={t('demo')} />}
      <header className="print:static sticky top-0 z-(--z-shell) border-b border-line bg-surface">
        <div className={cn(column, narrow && 'max-w-132', 'flex min-h-16 items-center gap-2 py-2 md:gap-3 md:min-h-18')}>
          <Mark className="size-9.5 rounded-lg [&_svg]:size-5.5" logo="max-h-9.5 max-w-20 md:max-w-40" />
          <div className="min-w-0 flex-1">
            <p className="text-portal leading-snug font-semibold wrap-anywhere max-md:text-title">{name}</p>
            {subtitle && <p className="truncate text-md text-fg-3 max-md:hidden">{subtitle}</p>}
          </div>
          <div className="contents print:hidden">
            {actions}
            <LanguageSwitch />
          </div>
          {onSignOut && (
            <PortalButton className="flex-none max-md:px-2 max-md:text-title print:hidden" onClick={onSignOut}>
              {t('signOut')}
            </PortalButton>
          )}
        </div>
      </header>
      <main className={cn(column, 'flex-1 pt-8 pb-12 md:pt-9')}>
        <div className={cn(narrow && 'mx-auto max-w-120')}>{children}</div>
        <p className={cn('pt-6 text-title leading-relaxed text-fg-2', narrow && 'mx-auto max-w-120')}>
          {t('needHelp')}{' '}
          {phone ? (
            <>
              {t('call')}{' '}
              <a
                href={`tel:${phone.replace(/[^\d+]/g, '')}`}
                className="font-semibold whitespace-nowrap text-fg underline underline-offset-4"
              >
                {phone}
              </a>
              {hours && `, ${hours}`}
              {/[.]$/.test(hours) ? '' : '.'}
            </>
          ) : (
            t('callClinic')
          )}
          <br />
          {t('emergency')}
        </p>
      </main>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}
