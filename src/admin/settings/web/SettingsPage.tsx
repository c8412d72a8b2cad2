import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { usePhone } from '../../../ui/hooks/useMedia.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { SectionList } from './SectionList.tsx'
import { sectionGroups } from './sections.ts'

/** /settings (spec 2). Each section has its own URL; phones show the list of sections first. */
export default function SettingsPage(): ReactNode {
  const phone = usePhone()
  const may = usePermission()
  const { section: slug, item } = useParams({ strict: false })
  const groups = useMemo(
    () =>
      sectionGroups
        .map((group) => ({ ...group, sections: group.sections.filter(({ needs }) => !needs || may(needs)) }))
        .filter(({ sections }) => sections.length > 0),
    [may],
  )
  const sections = groups.flatMap((group) => group.sections)
  const section = slug === undefined ? (phone ? undefined : sections[0]) : sections.find((one) => one.slug === slug)

  return (
    <>
      <TopbarTitle title={section ? `Settings · ${section.label}` : 'Settings'} section="Settings" />
      <div className="flex min-h-0 flex-1">
        {(!phone || slug === undefined) && (
          <div className="w-full flex-none overflow-y-auto border-line px-2 py-5 md:w-56 md:border-r md:px-4">
            <SectionList groups={groups} current={section?.slug} />
          </div>
        )}
        {(!phone || slug !== undefined) && (
          <div key={section?.slug} className="relative min-h-0 min-w-0 flex-1 scroll-pt-24 scroll-pb-20 overflow-y-auto px-4 py-6 md:px-8">
            {/* An item has its own way back, to the list that it is in. */}
            {phone && item === undefined && (
              <Link to="/settings" className="-mt-3 mb-3 -ml-1 inline-flex h-11 items-center gap-1 rounded-md pr-2 text-sm text-fg-2">
                <ChevronLeft aria-hidden="true" /> All settings
              </Link>
            )}
            {section ? (
              <section.Part />
            ) : (
              <EmptyState title="Setting not found">It does not exist, or your role cannot change it.</EmptyState>
            )}
          </div>
        )}
      </div>
    </>
  )
}
