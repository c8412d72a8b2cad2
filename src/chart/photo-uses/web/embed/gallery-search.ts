import { type AgeBand, ageBands } from '../../rules.ts'

export interface GallerySearch {
  procedure?: string
  age?: AgeBand
  technique?: string
}

/** The filters in the address of the gallery; what is not valid is left out. */
export function readGallerySearch({ procedure, age, technique }: Record<string, unknown>): GallerySearch {
  const band = ageBands.find((one) => one === age)
  return {
    ...(typeof procedure === 'string' && /^[\da-f-]{36}$/i.test(procedure) && { procedure }),
    ...(band && { age: band }),
    ...(typeof technique === 'string' && technique !== '' && { technique: technique.slice(0, 60) }),
  }
}
