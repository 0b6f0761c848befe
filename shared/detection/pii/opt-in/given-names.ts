/** Frequent given names in a dozen languages, compiled for this project; used if only `name:` precedes a name. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `Aaron Abdul Adam Adrian Agnieszka Ahmed Aisha Akira Alan Albert Alejandro Alessandro Alex Alexander Alexandra Alexei Ali
Alice Alicia Amanda Amelia Amina Amy Ana Anders Andre Andrea Andreas Andrew Angela Anita Anja Ann Anna Anne Annika Anthony
Antonio Arjun Arthur Astrid Barbara Beatriz Ben Benjamin Bianca Bill Bjorn Bob Boris Brenda Brian Bruno Camille Carl Carla
Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlotte Chen Chiara Chloe Chris Christian Christine Christopher
Claire Clara Claudia Daniel Daniela Danielle David Deborah Deepak Dennis Diana Diego Dmitri Dmitry Dominik Donald Donna
Doris Dorothy Douglas Eduardo Edward Ekaterina Elena Eleanor Elise Elizabeth Ella Ellen Emily Emma Enrique Eric Erik Erika
Ernesto Esther Eva Evelyn Fatima Felix Fernando Filip Fiona Florian Francesca Francesco Francis Frank Franz Freya Gabriel
Gabriela Gary George Georgia Gerald Giovanni Giulia Gloria Grace Greta Guillaume Gustav Hana Hannah Hans Harold Harry Hassan
Heather Heidi Helen Helena Henrik Henry Hiroshi Holger Hugo Ian Ibrahim Ines Ingrid Irene Irina Isabel Isabella Ivan Jack
Jacob Jacqueline Jakub James Jan Jana Jane Janet Jason Javier Jean Jean-Luc Jeffrey Jennifer Jens Jeremy Jessica Jesus Jim
Joan Joanna Joao Joe Johan Johannes John Jonas Jonathan Jorge Jose Joseph Joshua Juan Judith Julia Julian Julie Jun Jurgen
Justin Kai Karen Karin Karl Katarina Kate Katharina Katherine Kathleen Keiko Keith Kelly Kenji Kenneth Kevin Khalid Klaus
Krzysztof Kumar Lars Laura Lauren Laurent Layla Lea Lena Leo Leon Leonardo Li Lily Linda Lisa Lorenzo Louis Louise Luca
Lucas Lucia Luis Luisa Lukas Luke Magda Magdalena Manuel Marco Marcus Margaret Maria Marie Marina Mario Mark Markus Marta
Martha Martin Mary Matteo Matthew Maximilian Mehmet Mei Melissa Michael Michel Michelle Miguel Mikhail Milan Minh Miriam
Mohamed Mohammed Monica Monika Nadia Nancy Naomi Natalia Natalie Natasha Nathan Nicholas Nicolas Nicole Nikolai Nina Noah
Nora Oleg Olga Oliver Olivia Omar Oscar Pablo Pamela Patricia Patrick Paul Paula Paulo Pavel Pedro Peter Petra Philip
Philipp Pierre Piotr Priya Rachel Rafael Rahul Raj Ralph Raymond Rebecca Ricardo Richard Robert Roberto Roger Ronald Rosa
Rose Ruth Ryan Sabine Sakura Samantha Samuel Sandra Sanjay Sanne Sara Sarah Scott Sean Sebastian Sergei Sergio Sharon Silvia
Simon Simone Sofia Sophia Sophie Stefan Stefania Stephanie Stephen Steve Steven Sunita Susan Susanne Svetlana Sven Takashi
Tanja Tatiana Teresa Thomas Tim Timothy Tom Tomas Tomasz Ursula Valentina Valerie Vera Veronica Victor Victoria Viktor
Vincent Virginia Vladimir Walter Wei Werner William Wolfgang Xavier Yan Yasmin Yuki Yuri Yusuf Yves Zoe
Élodie Émilie Hélène José João Jürgen Jörg Lucía María Martín Mónica Rubén Sofía Théo Zoé Björn Łukasz`.split(
    /\s+/,
  ),
);
