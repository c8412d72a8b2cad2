import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { offerTexts } from '../../texts.ts'
import type { Unknown } from './link-calls.ts'

/** What a page shows instead of what its link is about: that it is loading, that the link doesn't work, or why it could not be loaded. */
export function Unopened({ stage, onRetry }: { stage: Unknown | { name: 'loading' }; onRetry: () => void }) {
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = offerTexts[language]
  const frame = frameTexts[language]
  if (stage.name === 'unknown') return <p>{t('unknown', { practice })}</p>
  if (stage.name === 'failed')
    return (
      <>
        <ErrorLine>{t(`problems.${stage.problem}`)}</ErrorLine>
        <PortalButton onClick={onRetry}>{frame('tryAgain')}</PortalButton>
      </>
    )
  return (
    <div role="status" aria-label={frame('loading')} className="flex min-h-40 flex-col gap-4">
      <Skeleton className="w-1/3" />
      <Skeleton className="w-3/4" />
      <Skeleton className="w-1/2" />
    </div>
  )
}
