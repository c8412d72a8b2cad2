import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cn } from '../../../ui/cn.ts'
import type { SectionGroup } from './sections.ts'

interface SectionListProps {
  groups: readonly SectionGroup[]
  /** Slug of the section shown next to the list. */
  current: string | undefined
}

/** The settings sections in groups; a separate page on phones. */
export function SectionList({ groups, current }: SectionListProps) {
  const list = useRef<HTMLElement>(null)
  // The list may be longer than the window, so scroll to the current section.
  useEffect(() => {
    if (current !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <nav ref={list} aria-label="Settings" className="flex flex-col gap-4">
      {groups.map(({ label, sections }) => (
        <div key={label}>
          <p id={`settings-${label}`} className="px-2 pb-1 text-xs font-medium text-fg-3">
            {label}
          </p>
          <ul aria-labelledby={`settings-${label}`} className="flex flex-col gap-px">
            {sections.map((section) => (
              <li key={section.slug}>
                <Link
                  to="/settings/$section"
                  params={{ section: section.slug }}
                  aria-current={section.slug === current ? 'page' : undefined}
                  className={cn(
                    'flex h-11 items-center gap-2 rounded-md px-2 text-sm text-fg-2 hover:bg-hover hover:text-fg md:h-(--control)',
                    'aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-fg',
                  )}
                >
                  <span className="min-w-0 flex-1 truncate">{section.label}</span>
                  <ChevronRight aria-hidden="true" className="text-fg-3 md:hidden" />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
