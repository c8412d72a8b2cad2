import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Lock, Megaphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { today } from '../../../ui/format.ts'
import { useMedia } from '../../../ui/hooks/useMedia.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { SpendCards, SpendTable } from './SpendTable.tsx'
import { useSpend } from './useSpend.ts'

/** The page /reports/spend: what each lead source cost in the months of a year (issue 28). */
export default function SpendPage(): ReactNode {
  const isAllowed = usePermission()('leadSources.spend')
  const { year } = useSearch({ from: '/staff/reports/spend' })
  const thisYear = Number(today(useClock()).slice(0, 4))
  const shown = year ?? thisYear
  return (
    <>
      <TopbarTitle
        title="Spend by source"
        section="Spend"
        crumbs={[{ label: 'Reports', link: { to: '/reports', search: { report: 'return' } } }, { label: 'Spend by source' }]}
      />
      {isAllowed ? (
        <SpendOfYear key={shown} year={shown} />
      ) : (
        <EmptyState icon={<Lock />} title="Your role doesn’t see spend">
          Administrators enter what lead sources cost; sales and billing see it. An administrator can change your role.
        </EmptyState>
      )}
    </>
  )
}

function SpendOfYear({ year }: { year: number }) {
  const spend = useSpend(year)
  const mayChange = usePermission()('leadSources.setSpend')
  const navigate = useNavigate({ from: '/reports/spend' })
  const isNarrow = useMedia('(width < 48rem)')
  const open = (other: number) => void navigate({ search: { year: other }, replace: true })
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="spend">
      <div className="flex flex-col gap-4 px-4 pt-4 pb-10 md:px-6">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 className="text-lg font-semibold text-fg">Spend by source</h2>
          <div className="flex items-center gap-1">
            <IconButton label="Previous year" icon={<ChevronLeft />} onClick={() => open(year - 1)} />
            <span aria-live="polite" className="text-md font-medium text-fg tabular-nums">
              {year}
            </span>
            <IconButton label="Next year" icon={<ChevronRight />} onClick={() => open(year + 1)} />
          </div>
          <span role="status" className="min-w-16 text-xs text-fg-3">
            {spend.isSaving && 'Saving…'}
          </span>
        </header>
        <p className="max-w-160 text-sm text-fg-2">
          {mayChange
            ? 'Enter the monthly cost of each source. An amount is saved when you leave its field; Esc restores the saved amount. You can paste a row or column from a spreadsheet.'
            : 'The monthly cost of each source. Administrators enter the amounts.'}{' '}
          <Link to="/reports" search={{ report: 'return' }} className="rounded-xs text-accent-fg underline">
            Open Return on spend
          </Link>
        </p>
        <Asked query={spend.query} failed="Couldn’t load the spend">
          {(sources) => {
            const listed = sources.filter(({ isActive, months }) => isActive || months.length > 0)
            if (listed.length === 0)
              return (
                <EmptyState icon={<Megaphone />} title="No lead sources yet">
                  Add the places where patients hear about the practice under Settings, Lead sources. Then enter what each costs here.
                </EmptyState>
              )
            const shown = { spend, sources: listed, year, isReadOnly: !mayChange }
            return isNarrow ? <SpendCards {...shown} /> : <SpendTable {...shown} />
          }}
        </Asked>
      </div>
    </div>
  )
}
