import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Locations } from '../Locations.tsx'
import { PracticeForm } from '../PracticeForm.tsx'
import { LogoField } from '../LogoField.tsx'
import { useLivePractice } from '../../../../platform/practice/web/embed/usePractice.ts'

/** The practice's name, contact details and logo, as shown on pages, in emails and on PDFs. */
export function PracticeCard() {
  const cache = useQueryClient()
  const settings = useQuery(orpc.practice.settings.queryOptions({ staleTime: 0 }))
  useLivePractice()
  return (
    <div className="flex flex-col gap-8">
      <Section id="practice" title="Practice">
        <Asked query={settings} failed="Couldn’t load the practice settings">
          {(data) => (
            <div className="flex flex-col gap-6 pt-4">
              <LogoField logo={data.logo} onChanged={() => void cache.invalidateQueries({ queryKey: orpc.practice.settings.key() })} />
              <PracticeForm settings={data} />
            </div>
          )}
        </Asked>
      </Section>
      {settings.data && <Locations settings={settings.data} />}
    </div>
  )
}
