import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Locations } from '../Locations.tsx'
import { PracticeForm } from '../PracticeForm.tsx'
import { LogoField } from '../LogoField.tsx'
import { useLivePractice } from '../../../../platform/practice/web/embed/usePractice.ts'

/** What the practice is called and how it is reached, wherever that stands: pages, mails, papers. */
export function PracticeCard() {
  const cache = useQueryClient()
  const settings = useQuery(orpc.practice.settings.queryOptions({ staleTime: 0 }))
  useLivePractice()
  return (
    <div className="flex flex-col gap-8">
      <Section id="practice" title="Practice">
        <Asked query={settings} failed="Couldn’t load the practice">
          {(found) => (
            <div className="flex flex-col gap-6 pt-4">
              <LogoField logo={found.logo} onChanged={() => void cache.invalidateQueries({ queryKey: orpc.practice.settings.key() })} />
              <PracticeForm settings={found} />
            </div>
          )}
        </Asked>
      </Section>
      {settings.data && <Locations settings={settings.data} />}
    </div>
  )
}
