import { CircleCheck } from 'lucide-react'
import { useRef } from 'react'
import { PortalButton } from '../../ui/patient/parts.tsx'
import { useTexts } from '../../ui/patient/language.ts'
import { frameTexts } from '../../ui/patient/texts.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'

interface OutcomeProps {
  title: string
  /** The patient has done what the page was for. */
  isDone?: boolean
  /** The address that the page was opened with by a link: leads to what is left to do. */
  portalEmail?: string
  children: string
}

/** How a page ends: what has happened, and what comes next. */
export function Outcome({ title, isDone = false, portalEmail, children }: OutcomeProps) {
  const t = useTexts(frameTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(heading)
  return (
    <>
      {isDone && <CircleCheck aria-hidden="true" className="mb-3 size-9! text-success-fg" />}
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {title}
      </h1>
      <p role="status" className="max-w-[60ch] pt-3 text-portal">
        {children}
      </p>
      {portalEmail !== undefined && (
        <PortalButton asChild className="mt-6">
          <a href={`/portal?${new URLSearchParams({ email: portalEmail })}`}>{t('toPortal')}</a>
        </PortalButton>
      )}
    </>
  )
}
