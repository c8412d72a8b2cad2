/**
 * Time zones of places in Canada and the United States: by province or state, by the postal code of Canada and by the area code of a phone number.
 * Of an area with two zones, the one where most people live.
 */
const areas: Record<string, { regions?: string; postal?: string; codes: string }> = {
  'America/St_Johns': { regions: 'NL|Newfoundland and Labrador|Newfoundland|Terre-Neuve-et-Labrador', postal: 'A', codes: '709 879' },
  'America/Halifax': {
    regions: 'NS|Nova Scotia|Nouvelle-Écosse|PE|PEI|Prince Edward Island|Île-du-Prince-Édouard',
    postal: 'BC',
    codes: '782 902',
  },
  'America/Moncton': { regions: 'NB|New Brunswick|Nouveau-Brunswick', postal: 'E', codes: '428 506' },
  'America/Toronto': {
    regions: 'ON|Ontario|QC|PQ|Quebec',
    postal: 'GHJKLMNP',
    codes: `226 249 263 289 343 354 365 367 382 416 418 437 438 450 468 514 519 548 579 581 613 647 683 705 742 753 807 819 873 905 942`,
  },
  'America/Winnipeg': { regions: 'MB|Manitoba', postal: 'R', codes: '204 431 584' },
  'America/Regina': { regions: 'SK|Saskatchewan', postal: 'S', codes: '306 474 639' },
  'America/Edmonton': {
    regions: 'AB|Alberta|NT|Northwest Territories|Territoires du Nord-Ouest',
    postal: 'TX',
    codes: '368 403 587 780 825 867',
  },
  'America/Vancouver': { regions: 'BC|British Columbia|Colombie-Britannique', postal: 'V', codes: '236 250 257 604 672 778' },
  'America/Whitehorse': { regions: 'YT|Yukon', postal: 'Y', codes: '' },
  'America/Iqaluit': { regions: 'NU|Nunavut', codes: '' },
  'America/New_York': {
    regions: `CT|DC|DE|FL|GA|IN|KY|MA|MD|ME|MI|NC|NH|NJ|NY|OH|PA|RI|SC|VT|VA|WV|Connecticut|District of Columbia|Delaware|Florida|Georgia|Indiana|Kentucky|
      Massachusetts|Maryland|Maine|Michigan|North Carolina|New Hampshire|New Jersey|New York|Ohio|Pennsylvania|Rhode Island|South Carolina|Vermont|Virginia|West Virginia`,
    codes: `201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315 317 321 324 326 329 330 332 336
      339 347 351 352 363 380 386 401 404 407 410 412 413 419 423 434 436 440 443 445 463 470 472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 574
      582 585 586 603 606 607 609 610 614 616 617 624 631 640 645 646 656 667 678 679 680 681 686 689 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757
      762 765 770 771 772 774 781 786 802 803 804 810 812 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 906 908 910 912
      914 917 919 929 930 934 937 941 943 947 948 954 959 973 978 980 984 989`,
  },
  'America/Chicago': {
    regions: `AL|AR|IA|IL|KS|LA|MN|MO|MS|ND|NE|OK|SD|TN|TX|WI|Alabama|Arkansas|Iowa|Illinois|Kansas|Louisiana|Minnesota|Missouri|Mississippi|North Dakota|Nebraska|
      Oklahoma|South Dakota|Tennessee|Texas|Wisconsin`,
    codes: `205 210 214 217 218 224 225 228 251 254 256 262 270 274 281 308 309 312 314 316 318 319 320 325 327 331 334 337 346 353 361 364 402 405 409 414 417 430
      432 447 448 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 605 608 612 615 618 620 629 630 636 641 651 659 660 662 682 701 708 712 713
      715 726 730 731 737 763 769 773 779 785 806 815 816 817 830 832 847 850 861 870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 979 985`,
  },
  'America/Denver': {
    regions: 'CO|ID|MT|NM|UT|WY|Colorado|Idaho|Montana|New Mexico|Utah|Wyoming',
    codes: '208 303 307 385 406 435 505 575 719 720 801 915 970 983 986',
  },
  'America/Phoenix': { regions: 'AZ|Arizona', codes: '480 520 602 623 928' },
  'America/Los_Angeles': {
    regions: 'CA|NV|OR|WA|California|Nevada|Oregon|Washington',
    codes: `206 209 213 253 279 310 323 341 350 357 360 369 408 415 424 425 442 503 509 510 530 541 559 562 564 619 626 628 650 657 661 669 702 707 714 725 738 747
      760 775 805 818 820 831 837 840 858 909 916 925 949 951 971`,
  },
  'America/Anchorage': { regions: 'AK|Alaska', codes: '907' },
  'Pacific/Honolulu': { regions: 'HI|Hawaii', codes: '808' },
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .toLowerCase()

const byRegion = new Map<string, string>()
const byPostal = new Map<string, string>()
const byCode = new Map<string, string>()
for (const [zone, { regions = '', postal = '', codes }] of Object.entries(areas)) {
  for (const region of regions.split('|')) if (region !== '') byRegion.set(fold(region), zone)
  for (const letter of postal) byPostal.set(letter, zone)
  for (const code of codes.split(/\s+/)) if (code !== '') byCode.set(code, zone)
}

/** Null: the province or state is not known. */
export const zoneOfRegion = (region: string): string | null => byRegion.get(fold(region)) ?? null

/** Null: not a postal code of Canada. */
export const zoneOfPostalCode = (code: string): string | null =>
  /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(code.trim()) ? (byPostal.get(code.trim()[0]!.toUpperCase()) ?? null) : null

/** @param number E.164. Null: not of Canada or the United States, or without a place. */
export const zoneOfNumber = (number: string): string | null => byCode.get(/^\+1(\d{3})\d{7}$/.exec(number)?.[1] ?? '') ?? null
