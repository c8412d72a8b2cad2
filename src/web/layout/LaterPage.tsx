import { useRouterState } from '@tanstack/react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { isActive, navEntries, type NavEntry } from './navigation.ts'
import { TopbarTitle } from './TopbarTitle.tsx'

const texts: Partial<Record<NavEntry['to'], { heading: string; text: string }>> = {
  '/reports': { heading: 'Reports are on their way', text: 'Leads, conversion and revenue by source, procedure and month.' },
}

/** Stands where a feature will be, and says what it will be. */
export default function LaterPage() {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const entry = navEntries.find((candidate) => isActive(candidate, pathname))
  const words = entry && texts[entry.to]
  if (!words) return null
  const Icon = entry.icon
  const { heading, text } = words
  return (
    <>
      <TopbarTitle title={entry.label} />
      <EmptyState icon={<Icon />} title={heading} className="my-auto pb-24">
        {text}
      </EmptyState>
    </>
  )
}
